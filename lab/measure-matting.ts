import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import { writeTables } from './bench/report/page-tables.ts'
import { progress } from './bench/report/progress.ts'
import { plainText, type Table } from './bench/report/table.ts'
import { compositesOf, type SetName } from './matting/composites.ts'
import { type Score, score } from './matting/score.ts'
import { backdropTable, gateTable } from './matting/tables.ts'

/**
 * `node lab/measure-matting.ts CUT-OUTS BACKGROUNDS [--set tuning] [--every 4] [--scores FILE] [--write]`: how well the
 * classical remover separates subjects from backgrounds, on composites with known alpha. CUT-OUTS contains pictures with alpha
 * (PNG, WebP), BACKGROUNDS photographs; others are drawn. The held-out set contains nothing that was used for tuning.
 */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    set: { type: 'string', default: 'held out' },
    every: { type: 'string', default: '1' },
    scores: { type: 'string' },
    write: { type: 'boolean' },
  },
})
const [cutOuts, backgrounds] = positionals
if (!cutOuts || !backgrounds) throw new Error('Name a folder of cut-outs and one of photographs.')
if (values.set !== 'tuning' && values.set !== 'held out') throw new Error('There are two sets: tuning, held out.')
const set: SetName = values.set

// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)

const scores: Score[] = []
for await (const composite of compositesOf(set, cutOuts, backgrounds, Number(values.every))) {
  scores.push(await score(composite))
  if (scores.length % 20 === 0) progress(`${scores.length} pictures`)
}
if (values.scores) writeFileSync(values.scores, JSON.stringify(scores))
const tables: Table[] = [backdropTable(set, scores), gateTable(set, scores)]
console.log(tables.map(plainText).join('\n'))
if (values.write) writeTables('lab/results/matting.md', 'node lab/measure-matting.ts CUT-OUTS BACKGROUNDS --write', tables)
