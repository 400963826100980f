import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { markdown, type Table } from './table.ts'

const docs = new URL('../../../docs/', import.meta.url)

/**
 * Replaces the text between a command's two marker comments in docs/`page`, and the tables' charts; appends them if they are missing.
 * @param command the command that writes the tables, as typed
 */
export function writeTables(page: string, command: string, tables: readonly Table[]): void {
  const path = new URL(page, docs)
  const [begin, end] = [`<!-- begin: written by ${command} -->`, `<!-- end: ${command} -->`]
  const block = [begin, ...tables.map(markdown), end].join('\n\n')
  const old = existsSync(path) ? readFileSync(path, 'utf8') : `# ${basename(page, '.md')}\n`
  const [from, to] = [old.indexOf(begin), old.indexOf(end)]
  const text = from >= 0 && to > from ? old.slice(0, from) + block + old.slice(to + end.length) : `${old.trimEnd()}\n\n${block}\n`
  mkdirSync(new URL('images/', docs), { recursive: true })
  for (const { chart } of tables) if (chart) writeFileSync(new URL(`images/${chart.name}`, docs), chart.svg)
  writeFileSync(path, text)
}
