import sharp from 'sharp'
import { writeTables } from './bench/report/page-tables.ts'
import { plainText } from './bench/report/table.ts'
import { enlargingTable } from './resizing/enlarging.ts'
import { pictures } from './resizing/pictures.ts'
import { shrinkingTable } from './resizing/shrinking.ts'

/**
 * `node lab/measure-resize.ts FOLDER [--write]`: quality and cost of resizing; --write updates
 * lab/results/resizing.md.
 */

const [folder, option] = process.argv.slice(2)
if (!folder || (option && option !== '--write')) throw new Error('Name a folder of photographs (*.jpg), and perhaps --write.')

// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)
const kinds = await pictures(folder)
const photographs = kinds[0]?.files ?? []
const circumstances = `${photographs.length} photographs; Node ${process.versions.node}, sharp ${sharp.versions.sharp}, libvips ${sharp.versions.vips}, one core.`
const shrinking = await shrinkingTable(kinds)
const tables = [{ ...shrinking, notes: [...(shrinking.notes ?? []), circumstances] }, await enlargingTable(photographs)]
console.log(tables.map(plainText).join('\n'))
if (option) writeTables('lab/results/resizing.md', 'node lab/measure-resize.ts FOLDER --write', tables)
