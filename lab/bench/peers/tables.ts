import { kilobytes, ms, percent, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { type ContestantName, contestants } from './index.ts'
import type { Run } from './kept-runs.ts'
import type { MeasuredCell, Result } from './measure-cell.ts'

/** Those that made the pictures of any cell. */
const measuredOf = (all: readonly MeasuredCell[]) => contestants.filter((name) => all.some(({ results }) => results[name]))

const table = (
  all: readonly MeasuredCell[],
  title: string,
  cellText: (result: Result, name: ContestantName) => string,
  more: readonly [column: string, value: (cell: MeasuredCell) => string][] = [],
): Table => ({
  title,
  columns: ['picture', ...measuredOf(all), ...more.map(([column]) => column)],
  rows: all.map((row) => [
    row.title,
    ...measuredOf(all).map((name) => {
      const result = row.results[name]
      return result ? cellText(result, name) : '–'
    }),
    ...more.map(([, value]) => value(row)),
  ]),
})

const scoreOf = ({ score: { samples, light } }: Result) =>
  samples === light ? samples.toFixed(1) : `${samples.toFixed(1)} / ${light.toFixed(1)}`

/** @param runs newest first; an earlier one shows how far two days differ */
export function peerTables([run, earlier]: readonly Run<MeasuredCell>[]): readonly Table[] {
  if (!run) return []
  const all = run.cells
  const cpu = table(
    all,
    'CPU of an image on the server in ms, and of Pixelmill’s',
    ({ ms: own, ofPixelmill }, name) => (name === 'Pixelmill' ? ms(own) : `${ms(own)} (${ratio(ofPixelmill)})`),
    [['foreign CPU', ({ foreignShare }) => percent(foreignShare)]],
  )
  const bytes = table(all, 'Kilobytes of an answer', (result) => kilobytes(result.bytes))
  const scores = table(all, 'SSIMULACRA2 of an answer', scoreOf)
  const cells = measuredOf(all)
  return [
    {
      ...cpu,
      notes: [
        `${run.date}; ${run.circumstances}.`,
        'All processes of a server count, at concurrency 8, medians of interleaved rounds with the load generator on the same cores. Pixelmill reads uploads, isolates the decoder and counts the calls of accounts in PostgreSQL; the others read files by GET. Bare sharp has Pixelmill’s encoder settings, and no server.',
        ...(cells.some((name) => name.endsWith('='))
          ? [
              '“=” has Pixelmill’s quality and effort, the others have their own defaults. oximg = has its settings for speed: baseline JPEG, resized as stored samples, and the decoder shrinks; and for AVIF its own default quality, whose numbers are those of another encoder.',
            ]
          : []),
        'Foreign CPU: the largest share of the machine that other processes used.',
      ],
    },
    bytes,
    {
      ...scores,
      notes: [
        'Against Lanczos-3 in double precision of the whole decoded picture, as stored samples / as light, by the judge of `packages/vision/src/likeness/ssimulacra2`; means of four to six pictures. 70 is high quality, 90 visually lossless.',
      ],
    },
    ...(earlier ? [daysTable(run, earlier)] : []),
  ]
}

/** CPU of a day relative to that of another one. */
function daysTable({ cells, date }: Run<MeasuredCell>, earlier: Run<MeasuredCell>): Table {
  const earlierCells = new Map(earlier.cells.map((cell) => [cell.title, cell.results]))
  const names = measuredOf(cells)
  return {
    title: 'CPU of an image on two days',
    columns: ['picture', ...names],
    rows: cells.map(({ title, results }) => [
      title,
      ...names.map((name) => {
        const now = results[name]
        const then = earlierCells.get(title)?.[name]
        return now && then ? ratio(now.ms / then.ms) : '–'
      }),
    ]),
    notes: [`${date} ÷ ${earlier.date}: how exact the figures are. Pixelmill may have changed between them.`],
  }
}
