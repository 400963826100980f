import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type ParameterTable, parameterRows } from 'pixelmill-server/delivery/dialects/parameter'

const HEADING = '## Parameters\n'
const TABLE_HEAD = '| parameter | takes |\n|---|---|\n'

/** A guide for those who come from another service: as it stands, with the table of parameters under its heading. */
export function dialectPage<Options>(path: string, table: ParameterTable<Options>): string {
  const text = readFileSync(join(import.meta.dirname, '../..', path), 'utf8')
  const [before, section] = text.split(HEADING)
  if (before === undefined || section === undefined) throw new Error(`${path} has no heading for the parameters`)
  const next = section.indexOf('\n## ')
  const prose = section
    .slice(0, next)
    .split('\n')
    .filter((line) => !line.startsWith('|'))
    .join('\n')
    .trim()
  return `${before}${HEADING}\n${prose}\n\n${TABLE_HEAD}${parameterRows(table)}\n${section.slice(next)}`
}
