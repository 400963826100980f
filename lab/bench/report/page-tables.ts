import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { markdown, type Table } from './table.ts'

const root = join(import.meta.dirname, '../../..')
/** The README and the guides show the charts too. */
const IMAGES = 'docs/images'

/**
 * Replaces the text between a command's two marker comments in a page, and the tables' charts; appends them if they are missing.
 * @param page its path in this repository, such as lab/results/bench.md
 * @param command the command that writes the tables, as typed
 */
export function writeTables(page: string, command: string, tables: readonly Table[]): void {
  const path = join(root, page)
  const begin = `<!-- begin: written by ${command} -->`
  const end = `<!-- end: ${command} -->`
  const images = relative(dirname(page), IMAGES)
  const block = [begin, ...tables.map((table) => markdown(table, images)), end].join('\n\n')
  const old = existsSync(path) ? readFileSync(path, 'utf8') : `# ${basename(page, '.md')}\n`
  const from = old.indexOf(begin)
  const to = old.indexOf(end)
  const text = from >= 0 && to > from ? old.slice(0, from) + block + old.slice(to + end.length) : `${old.trimEnd()}\n\n${block}\n`
  mkdirSync(join(root, IMAGES), { recursive: true })
  for (const { chart } of tables) if (chart) writeFileSync(join(root, IMAGES, chart.name), chart.svg)
  writeFileSync(path, text)
}
