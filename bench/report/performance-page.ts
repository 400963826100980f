import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { markdown, type Table } from './table.ts'

const page = new URL('../../docs/performance.md', import.meta.url)
const begin = '<!-- bench: begin (written by npm run bench -- --write) -->'
const end = '<!-- bench: end -->'

/** Replaces what stands between the two marker comments, and nothing else; makes the page when there is none. */
export function writePerformancePage(tables: readonly Table[]): void {
  const block = [begin, ...tables.map(markdown), end].join('\n\n')
  const old = existsSync(page) ? readFileSync(page, 'utf8') : '# Performance\n'
  const [from, to] = [old.indexOf(begin), old.indexOf(end)]
  const text = from >= 0 && to > from ? old.slice(0, from) + block + old.slice(to + end.length) : `${old.trimEnd()}\n\n${block}\n`
  mkdirSync(new URL('.', page), { recursive: true })
  writeFileSync(page, text)
}
