import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { removeBackground } from '@pixelmill/vision/matting/remove-background'
import sharp from 'sharp'
import { percent } from './bench/report/numbers.ts'
import { progress } from './bench/report/progress.ts'
import { plainText } from './bench/report/table.ts'

/**
 * `node lab/measure-cut-outs.ts FOLDER LABELS [--least 0.7] [--sheets NEW_FOLDER]`: how many photographs the built-in remover
 * answers, and how many of these answers are usable. Each line of LABELS has a file's name in FOLDER; `usable` or `wrong`, as
 * the cut-out was judged by eye; and the set that it belongs to. --sheets writes the answers as PNG, to be judged.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { least: { type: 'string', default: '0.7' }, sheets: { type: 'string' } },
})
const [folder, labels] = positionals
if (!folder || !labels) throw new Error('Name a folder of photographs and a file of labels.')
const least = Number(values.least)
if (values.sheets && !existsSync(values.sheets)) throw new Error(`There is no folder ${values.sheets}.`)

// A renderer has these settings.
sharp.cache(false)
sharp.concurrency(1)

const rows = readFileSync(labels, 'utf8')
  .split('\n')
  .filter((line) => line.trim())
const verdicts: { readonly set: string; readonly isUsable: boolean; readonly isAnswered: boolean }[] = []
for (const row of rows) {
  const [name = '', label, set = ''] = row.split(/\s+/)
  if (label !== 'usable' && label !== 'wrong') throw new Error(`“${row}” is not a name, usable or wrong, and a set.`)
  const { data, width, height, confidence } = await removeBackground(sharp(join(folder, name)).autoOrient(), least)
  const isAnswered = confidence >= least
  verdicts.push({ set, isUsable: label === 'usable', isAnswered })
  if (values.sheets && isAnswered) {
    await sharp(data, { raw: { width, height, channels: 4 } })
      .png()
      .toFile(join(values.sheets, `${name}.png`))
  }
  if (isAnswered !== (label === 'usable')) progress(`${name}: ${label}, confidence ${confidence.toFixed(2)}`)
}

const table = [...new Set(verdicts.map(({ set }) => set))].map((set) => {
  const some = verdicts.filter((each) => each.set === set)
  const answers = some.filter(({ isAnswered }) => isAnswered)
  const usable = answers.filter(({ isUsable }) => isUsable)
  return [set, `${some.length}`, `${answers.length}`, `${usable.length}`, percent(usable.length / (answers.length || 1))]
})
console.log(
  plainText({
    title: `Background removal, answers of at least ${least}`,
    columns: ['set', 'photographs', 'answered', 'usable', 'share'],
    rows: table,
  }),
)
