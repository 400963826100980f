import { parseArgs } from 'node:util'
import { progress } from './bench/report/progress.ts'
import { startOwnServer } from './conformance/server.ts'
import { rowOf } from './contact-sheet/cells.ts'
import { picturesIn } from './contact-sheet/pictures.ts'
import { drawnScenes } from './contact-sheet/scenes.ts'
import { type Row, sheetOf } from './contact-sheet/sheet.ts'

/**
 * `node lab/contact-sheet.ts [FOLDER] [--write FILE] [--cell 320] [--quality 80] [--url URL --key KEY]`: draws twenty
 * pictures of a folder, or twenty drawn ones, on one sheet: each as sent, cut out, and a detail before and after enhancing. Uses
 * the running service at URL, or starts one that returns cut-outs of any confidence.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'string', default: 'contact-sheet.jpg' },
    cell: { type: 'string', default: '320' },
    quality: { type: 'string', default: '80' },
    url: { type: 'string' },
    key: { type: 'string' },
  },
})
const [folder] = positionals
const { url, key } = values
if ((url === undefined) !== (key === undefined)) throw new Error('Give both, --url and --key, or neither.')

await using server = url && key ? undefined : await startOwnServer({ BG_LOW_CONFIDENCE: 'return' })
const service = server ?? { url: url ?? '', key: key ?? '' }
const width = Number(values.cell)
const cell = { width, height: Math.round(width * 0.75) }

const rows: Row[] = []
for await (const picture of folder ? picturesIn(folder) : drawnScenes()) {
  rows.push(await rowOf(service, picture, cell))
  progress(`${rows.length} pictures`)
}
const sheet = await sheetOf(rows, cell)
const isJpeg = /\.jpe?g$/i.test(values.write)
const { size } = await (isJpeg ? sheet.jpeg({ quality: Number(values.quality), mozjpeg: true }) : sheet.png()).toFile(
  values.write,
)
console.log(`${values.write}: ${rows.length} pictures, ${Math.round(size / 1024)} KB`)
