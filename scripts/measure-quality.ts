import { parseArgs } from 'node:util'
import { writeTables } from '../bench/report/page-tables.ts'
import { plainText } from '../bench/report/table.ts'
import { openPhotographs } from './quality/photographs.ts'
import { fittingTable, servedTable } from './quality/tables.ts'

/**
 * `node scripts/measure-quality.ts FOLDER [--write]`: how like the original the service's encoders are at the same
 * quality, and which own numbers would bring AVIF and HEIC between JPEG and WebP. FOLDER has photographs (JPEG);
 * `--write` renews the tables of docs/decisions/0007-one-quality-scale.md.
 */

/** As on a page; and larger, but still resampled: a photograph at its own size favours the JPEG encoder that made it. */
const sides = [768, 1280] as const

const { values, positionals } = parseArgs({ allowPositionals: true, options: { write: { type: 'boolean' } } })
const [folder] = positionals
if (!folder) throw new Error('Name a folder of photographs (JPEG).')
const sets = await Promise.all(sides.map((side) => openPhotographs(folder, side)))
const tables = [
  ...(await Promise.all(sets.map((photographs, index) => servedTable(photographs, sides[index] ?? 0)))),
  await fittingTable(sets),
]
console.log(tables.map(plainText).join('\n'))
if (values.write) writeTables('decisions/0007-one-quality-scale.md', 'node scripts/measure-quality.ts FOLDER --write', tables)
