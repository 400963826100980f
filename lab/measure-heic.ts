import { readFile } from 'node:fs/promises'
import { heicReader } from '@pixelmill/codecs/heic/reader'
import { measureConversions } from './heic/conversions.ts'
import { measureWriters } from './heic/writers.ts'

/** `node lab/measure-heic.ts FILE.heic`: the cost of reading and writing HEIC; prints the tables of docs/design/decoders.md. Linux, with heif-enc and heif-convert. */

const [path] = process.argv.slice(2)
if (!path) throw new Error('Name a HEIC file.')
const bytes = await readFile(path)
const { width, height } = await heicReader.header(bytes)
console.log(`${width} × ${height}, ${bytes.length} bytes`)
await measureConversions(bytes)
await measureWriters(bytes)
