import sharp from 'sharp'
import { writeTables } from './bench/report/page-tables.ts'
import { progress } from './bench/report/progress.ts'
import { plainText } from './bench/report/table.ts'
import { costTable } from './enhance/cost-table.ts'
import { drawnPictures, largePicture, photographs } from './enhance/pictures.ts'
import { autoTable, repairTable, upscaleTable } from './enhance/tables.ts'

/**
 * `node lab/measure-enhance.ts FOLDER HELD_OUT [--write]`: gains and cost of enhancing, on the photographs that it was tuned
 * on, and on others; --write updates lab/results/enhancing.md.
 */

const [folder, heldOut, option] = process.argv.slice(2)
if (!folder || !heldOut || (option && option !== '--write')) {
  throw new Error('Name a folder of photographs (*.jpg) to tune on, another of others, and perhaps --write.')
}

// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)
const sets = [
  { name: 'tuned on', pictures: [...(await photographs(folder)), ...(await drawnPictures())] },
  { name: 'held out', pictures: await photographs(heldOut) },
]
const tables = []
for (const table of [repairTable, upscaleTable, autoTable]) {
  for (const { name, pictures } of sets) {
    progress(`${table.name}, ${name}`)
    tables.push(await table(pictures, name))
  }
}
progress(costTable.name)
tables.push(await costTable(await largePicture(folder)))
console.log(tables.map(plainText).join('\n'))
if (option) writeTables('lab/results/enhancing.md', 'node lab/measure-enhance.ts FOLDER HELD_OUT --write', tables)
