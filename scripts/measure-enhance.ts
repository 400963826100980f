import sharp from 'sharp'
import { writeTables } from '../bench/report/page-tables.ts'
import { progress } from '../bench/report/progress.ts'
import { plainText } from '../bench/report/table.ts'
import { costTable } from './enhance/cost-table.ts'
import { cleanPictures, largePicture } from './enhance/pictures.ts'
import { autoTable, repairTable, upscaleTable } from './enhance/tables.ts'

/** `node scripts/measure-enhance.ts FOLDER [--write]`: what enhancing wins and costs; --write renews docs/quality.md. */

const [folder, option] = process.argv.slice(2)
if (!folder || (option && option !== '--write')) throw new Error('Name a folder of photographs (*.jpg), and perhaps --write.')

// As in a renderer.
sharp.cache(false)
sharp.concurrency(1)
const pictures = await cleanPictures(folder)
const tables = []
for (const table of [repairTable, upscaleTable, autoTable]) {
  progress(table.name)
  tables.push(await table(pictures))
}
progress(costTable.name)
tables.push(await costTable(await largePicture(folder)))
console.log(tables.map(plainText).join('\n'))
if (option) writeTables('quality.md', 'node scripts/measure-enhance.ts FOLDER --write', tables)
