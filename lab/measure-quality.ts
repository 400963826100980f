import { parseArgs } from 'node:util'
import { writeTables } from './bench/report/page-tables.ts'
import { plainText } from './bench/report/table.ts'
import { photographsIn } from './quality/photographs.ts'
import { fittingTable, measure, servedTable } from './quality/tables.ts'

/**
 * `node lab/measure-quality.ts [--fit] [--write] FOLDER|FILE…`: SSIMULACRA2 and bytes of the service's encoders at the same
 * quality, on photographs (JPEG or PNG). `--fit` adds the encoder settings that would reach JPEG's median, which takes three times
 * as long; `--write` updates the tables of lab/results/quality.md.
 */

/** Thumbnails and full size. */
const sides = [512, 2048] as const
const PROMISES = [50, 75, 90] as const
const rowsOfScales = [25, 50, 60, 75, 85, 89, 90, 95] as const

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { fit: { type: 'boolean' }, write: { type: 'boolean' } },
})
const paths = photographsIn(positionals)
if (paths.length === 0) throw new Error('Name photographs (JPEG or PNG), or a folder of them.')
const measurements = []
for (const side of sides) measurements.push(await measure(paths, side, values.fit ? rowsOfScales : PROMISES))
const tables = measurements.map((one) => servedTable(one, PROMISES))
console.log(tables.map(plainText).join('\n'))
if (values.fit) console.log(plainText(fittingTable(measurements, rowsOfScales)))
if (values.write) writeTables('lab/results/quality.md', 'node lab/measure-quality.ts --write FOLDER|FILE…', tables)
