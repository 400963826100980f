import { parseArgs } from 'node:util'
import { writeTables } from '../bench/report/page-tables.ts'
import { plainText } from '../bench/report/table.ts'
import { openPhotographs } from './quality/photographs.ts'
import { fittingTable, servedTable } from './quality/tables.ts'

/**
 * `node scripts/measure-quality.ts FOLDER [--write]`: how similar to the original the service's encoders are at the
 * same quality, and which encoder settings would place AVIF and HEIC between JPEG and WebP. FOLDER contains photographs (JPEG);
 * `--write` updates the tables of docs/decisions/0007-one-quality-scale.md.
 */

/** The size on a page, and a larger one, but still resampled: a photograph at its own size favours the JPEG encoder that made it. */
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
