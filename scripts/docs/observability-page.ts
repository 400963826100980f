import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { metrics } from 'pixelmill-server/metrics/metrics'
import { markdownTable, withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/observability.md')

/** A metric without its values; `labelNames` is where prom-client keeps them. */
interface Described {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labelNames?: readonly string[]
}

/** How the help of a metric ends that comes from the database and is the same in every process. */
const OF_ALL = / Of all processes\.$/

/** Those of Node.js and of the process come from prom-client, with help texts that are not sentences. */
const isDefault = ({ name }: Described): boolean => /^pixelmill_(nodejs|process)_/.test(name)

/** docs/observability.md with its table generated from the registry; the rest is written by hand. */
export function observabilityPage(): string {
  const descriptions = metrics().registry.getMetricsAsArray() as unknown as readonly Described[]
  const rows = descriptions
    .filter((metric) => !isDefault(metric))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, labelNames = [], help }) => [
      `\`${name}\`${labelNames.length > 0 ? ` {${labelNames.join(', ')}}` : ''}`,
      String(type),
      help.replace(OF_ALL, ' *all*'),
    ])
  return withTable(readFileSync(PAGE, 'utf8'), 'metrics', markdownTable(['metric', 'type', ''], rows))
}
