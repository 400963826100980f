import { metrics } from 'pixelmill-server/metrics/metrics'
import { markdownTable } from './generated-table.ts'

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

/** docs/metrics.md, from the registry. */
export function metricsPage(generated: string): string {
  const described = metrics().registry.getMetricsAsArray() as unknown as readonly Described[]
  const rows = described
    .filter((metric) => !isDefault(metric))
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .map(({ name, type, labelNames = [], help }) => [
      `\`${name}\`${labelNames.length > 0 ? ` {${labelNames.join(', ')}}` : ''}`,
      String(type),
      help.replace(OF_ALL, ' *all*'),
    ])
  return `# Metrics

${generated}

Beside these there are those of Node.js and the process, such as \`pixelmill_nodejs_eventloop_lag_p99_seconds\`. Metrics marked *all* come from the database and are the same in every process: use the maximum, not the sum. Each process queries them at most every ten
seconds; while the database is unavailable they are missing and \`pixelmill_database_up\` is 0. [observability.md](observability.md) says how to read them.

${markdownTable(['metric', 'type', ''], rows)}
`
}
