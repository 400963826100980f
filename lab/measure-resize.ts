import { readFileSync, writeFileSync } from 'node:fs'
import sharp from 'sharp'
import { markdown } from './bench/report/table.ts'
import { enlargingTable } from './resizing/enlarging.ts'
import { pictures } from './resizing/pictures.ts'
import { shrinkingTable } from './resizing/shrinking.ts'

/**
 * `node lab/measure-resize.ts FOLDER [--write]`: quality and cost of resizing; --write updates
 * docs/decisions/0025-resizing.md.
 */

const page = new URL('../docs/decisions/0025-resizing.md', import.meta.url)
const begin = '<!-- measured: begin (written by node lab/measure-resize.ts FOLDER --write) -->'
const end = '<!-- measured: end -->'

function write(tables: string): void {
  const text = readFileSync(page, 'utf8')
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from < 0 || to < from) throw new Error('docs/decisions/0025-resizing.md has lost its two marker comments.')
  writeFileSync(page, `${text.slice(0, from) + begin}\n\n${tables}\n\n${text.slice(to)}`)
}

const [folder, option] = process.argv.slice(2)
if (!folder || (option && option !== '--write')) throw new Error('Name a folder of photographs (*.jpg), and perhaps --write.')

// As in a renderer.
sharp.cache(false)
sharp.concurrency(1)
const kinds = await pictures(folder)
const photographs = kinds[0]?.files ?? []
const tables = [await shrinkingTable(kinds), await enlargingTable(photographs)].map(markdown).join('\n\n')
const circumstances = `${photographs.length} photographs; Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, one core.`
console.log(`${tables}\n\n${circumstances}`)
if (option) write(`${circumstances}\n\n${tables}`)
