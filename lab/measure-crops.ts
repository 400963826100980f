import { parseArgs } from 'node:util'
import { largestWindow } from '@pixelmill/vision/salience/crop-around'
import { writeTables } from './bench/report/page-tables.ts'
import { plainText, type Table } from './bench/report/table.ts'
import { shareInside } from './crops/kept.ts'
import { openMatted } from './crops/matted-photographs.ts'
import { methods } from './crops/methods.ts'

/**
 * `node lab/measure-crops.ts FOLDER [--write] [--each]`: how much of the subject crops keep. FOLDER contains photographs
 * NAME.jpg and their subjects NAME.mask.png, white on black; `--write` updates the table of
 * lab/results/crops.md, `--each` prints the result of each photograph.
 */

const ratios = { '1:1': 1, '9:16': 9 / 16, '16:9': 16 / 9, '4:5': 4 / 5 }

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'boolean' }, each: { type: 'boolean' } },
})
const [folder] = positionals
if (!folder) throw new Error('Name a folder of photographs NAME.jpg with masks NAME.mask.png.')

const photographs = await openMatted(folder)
const rows: string[][] = []
let count = 0
for (const [name, method] of Object.entries(methods)) {
  const shares: number[] = []
  const before = process.cpuUsage()
  for (const photograph of photographs) {
    for (const [label, ratio] of Object.entries(ratios)) {
      const window = largestWindow(photograph, ratio)
      if (window.width === photograph.width && window.height === photograph.height) continue
      const share = shareInside(photograph, await method(photograph, ratio))
      if (values.each) console.log(name, photograph.name, label, share.toFixed(3))
      shares.push(share)
    }
  }
  const { user, system } = process.cpuUsage(before)
  shares.sort((one, other) => one - other)
  count = shares.length
  const mean = shares.reduce((sum, share) => sum + share, 0) / count
  const good = shares.filter((share) => share >= 0.9).length
  const figures = [mean, shares[Math.floor(count / 10)] ?? 0, shares[0] ?? 0].map((share) => share.toFixed(3))
  rows.push([name, ...figures, `${good} of ${count}`])
  if (values.each) console.log(name, `${((user + system) / 1000 / count).toFixed(0)} ms a crop, measuring included`)
}

const table: Table = {
  title: `${count} crops of ${photographs.length} photographs`,
  columns: ['', 'mean', 'worst tenth', 'worst', '0.9 or more'],
  rows,
  notes: [
    'Share of the subject that is in the crop, of what the best crop of that size has.',
    'Crops of 1:1, 9:16, 16:9 and 4:5.',
  ],
}
console.log(plainText(table))
if (values.write) writeTables('lab/results/crops.md', 'node lab/measure-crops.ts FOLDER --write', [table])
