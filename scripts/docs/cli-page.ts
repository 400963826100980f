import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { failures } from 'pixelmill/failure'
import { withTable } from './generated-table.ts'

const PAGE = join(import.meta.dirname, '../../docs/cli.md')

/** docs/cli.md with the list of errors; the rest is written by hand. */
export function cliPage(): string {
  const rows = Object.entries(failures).map(([code, text]) => `- \`${code}\`: ${text}.`)
  return withTable(readFileSync(PAGE, 'utf8'), 'errors', rows.join('\n'))
}
