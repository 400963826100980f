import { ms, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { type RowName, scores } from './equal-score/sweep-cell.ts'
import { figureText } from './equal-score/tables.ts'
import type { ContestantName } from './index.ts'
import type { KeptRuns } from './kept-runs.ts'

/** What the guides show of the runs, so that no figure is copied by hand. */
export function guideTables({ equalNumber: [run], equalScore: [scoreRun] }: KeptRuns): readonly Table[] {
  const [, high] = scores
  const tables: Table[] = []
  if (run)
    tables.push(
      {
        page: 'docs/performance.md',
        title: 'CPU of an image in ms, and of Pixelmill’s',
        columns: ['picture', ...besides],
        rows: run.cells.map(({ title, results }) => [
          title,
          ...besides.map((name) => {
            const result = results[name]
            if (!result) return '–'
            return name === 'Pixelmill' ? ms(result.ms) : `${ms(result.ms)} (${ratio(result.ofPixelmill)})`
          }),
        ]),
        notes: [`${run.date}; ${run.circumstances}.`],
      },
      {
        page: 'docs/scale-out.md',
        title: 'CPU of a billion images',
        columns: ['recipe', 'CPU of an image', 'core-hours of a billion', 'cores', 'cores for it in a day'],
        rows: run.cells.flatMap(({ title, results: { Pixelmill } }) =>
          Pixelmill && title.startsWith('2 MP PNG') ? [] : [billionOf(title, Number(ms(Pixelmill?.ms ?? Number.NaN)))],
        ),
      },
    )
  if (scoreRun)
    tables.push({
      page: 'docs/performance.md',
      title: `CPU ms · kB at SSIMULACRA2 ${high}`,
      columns: ['picture', ...besidesAtScore],
      rows: scoreRun.cells.map(({ title, rows, pictures }) => [
        title,
        ...besidesAtScore.map((row) => figureText(rows[row]?.samples[high], pictures)),
      ]),
      notes: [
        `${scoreRun.date}. Against the exact reduction of the stored samples; in brackets the pictures that reach the score, where some do not.`,
      ],
    })
  return tables
}

const besides: readonly ContestantName[] = ['Pixelmill', 'bare sharp', 'ipx', 'imgproxy =', 'oximg']
const besidesAtScore: readonly RowName[] = [
  'Pixelmill',
  'Pixelmill fast',
  'Pixelmill small',
  'bare sharp',
  'imgproxy =',
  'oximg =',
]

/** Dollars for an hour of a core, as the guide says. */
const CORE_HOUR = 0.04

/** From the milliseconds as the tables show them. */
function billionOf(title: string, cpuMs: number): readonly string[] {
  const hours = (cpuMs * 1e9) / 3_600_000
  const round = (value: number, to: number) => (Math.round(value / to) * to).toLocaleString('en')
  return [title, `${ms(cpuMs)} ms`, round(hours, 100), `$${round(hours * CORE_HOUR, 10)}`, round(hours / 24, 10)]
}
