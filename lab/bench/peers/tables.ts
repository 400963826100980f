import { type BarChart, barChart } from '../report/bar-chart.ts'
import { kilobytes, ms, percent, ratio } from '../report/numbers.ts'
import type { Table } from '../report/table.ts'
import { type ContestantName, contestants } from './index.ts'
import type { MeasuredCell, Result } from './measure-cell.ts'

const chartName = 'peers.svg'

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
    row.cell.title,
    ...measuredOf(all).map((name) => {
      const result = row.results[name]
      return result ? cellText(result, name) : '–'
    }),
    ...more.map(([, value]) => value(row)),
  ]),
})

const scoreOf = ({ score: { samples, light } }: Result) =>
  samples === light ? samples.toFixed(1) : `${samples.toFixed(1)} / ${light.toFixed(1)}`

const chartOf = (all: readonly MeasuredCell[]): BarChart => ({
  title: 'CPU of an image on the server, relative to a bare loop of sharp',
  about: [
    'The dashed line is sharp alone with the encoder settings of Pixelmill, without a server; shorter is better.',
    'Behind each bar: its length, and the kilobytes and the SSIMULACRA2 of an answer. = has the quality and effort of Pixelmill.',
  ],
  panels: all.map(({ cell, results }) => ({
    title: cell.title,
    bars: measuredOf(all).flatMap((name) => {
      const result = results[name]
      if (!result || name === 'bare sharp') return []
      const { ofBare, bytes, score } = result
      const note = `${bytes < 100_000 ? kilobytes(bytes) : (bytes / 1000).toFixed(0)} kB · ${score.samples.toFixed(1)}`
      return [{ name, value: ofBare, note, own: name === 'Pixelmill' }]
    }),
  })),
})

export function peerTables(all: readonly MeasuredCell[], circumstances: string): Table[] {
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
      chart: { name: chartName, alt: 'CPU of an image beside other servers', svg: barChart(chartOf(all)) },
      notes: [
        circumstances,
        'All processes of a server count, at concurrency 8, medians of interleaved rounds with the load generator on the same cores. Pixelmill reads uploads, isolates the decoder and counts the calls of accounts in PostgreSQL; the others read files by GET. Bare sharp has Pixelmill’s encoder settings, and no server.',
        ...(cells.some((name) => name.endsWith('='))
          ? [
              '“=” has Pixelmill’s quality and effort, the others have their own defaults. oximg = has its settings for speed: baseline JPEG, resized as stored samples, and the decoder shrinks.',
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
  ]
}
