import { type BarChart, barChart } from '../../report/bar-chart.ts'
import { kilobytes, ms, percent } from '../../report/numbers.ts'
import type { Table } from '../../report/table.ts'
import type { Run } from '../kept-runs.ts'
import type { Figure } from './figure-at.ts'
import { figureOfKind } from './figure-of-kind.ts'
import { serversAhead } from './servers-ahead.ts'
import { lights, type RowName, rows, type SweptCell, scores } from './sweep-cell.ts'

const [, HIGH] = scores

/** CPU and bytes, with the number of pictures that reach the score where some do not. */
export function figureText(figure: Figure | undefined, pictures: number): string {
  if (!figure) return ''
  return `${ms(figure.ms)} · ${kilobytes(figure.bytes)}${figure.reached < pictures ? ` (${figure.reached})` : ''}`
}

/** @param runs newest first; of an earlier one only the middle score is shown */
export function scoreTables([run, earlier]: readonly Run<SweptCell>[]): readonly Table[] {
  if (!run) return []
  const table: Table = {
    title: 'CPU ms · kB at equal score',
    columns: [
      'picture',
      'server',
      ...lights.flatMap((light) => scores.map((score) => (light === 'light' ? `${score} in light` : String(score)))),
      ...(earlier ? [`${HIGH} on ${earlier.date}`] : []),
    ],
    rows: run.cells.flatMap((cell) => rowsOf(cell, earlier)),
    chart: {
      name: 'peers.svg',
      alt: `CPU and bytes of an image at SSIMULACRA2 ${HIGH}, beside other servers`,
      svg: barChart(chartOf(run)),
    },
    notes: [
      `${run.date}; ${run.circumstances}; foreign CPU at most ${percent(Math.max(...run.cells.map(({ foreignShare }) => foreignShare)))}.`,
      `Each answers at six of its own qualities; CPU and bytes at SSIMULACRA2 ${scores.join(', ')} are read off between them, picture by picture, linear in the score, bytes by their logarithm. In brackets: how many of the ${run.cells[0]?.pictures} pictures (of the larger ones fewer are scored) reach the score, where some do not; empty: none does.`,
      'The score is against the exact reduction of the stored samples, or of light: who reduces the one cannot come close to the other. A full-size picture is not reduced.',
      '“=” has Pixelmill’s effort, oximg = also its settings for speed; the others have their own defaults. `fast` and `small` are Pixelmill’s efforts.',
    ],
  }
  return [table, serversAhead(run)]
}

const namesOf = (cell: SweptCell): readonly RowName[] => rows.filter((row) => cell.rows[row])

function rowsOf(cell: SweptCell, earlier: Run<SweptCell> | undefined): readonly (readonly string[])[] {
  const earlierCell = earlier?.cells.find(({ title }) => title === cell.title)
  return namesOf(cell).map((row, nth) => [
    nth === 0 ? cell.title : '',
    row,
    ...lights.flatMap((light) =>
      scores.map((score) =>
        light === 'light' && isWhole(cell) ? '' : figureText(cell.rows[row]?.[light][score], cell.pictures),
      ),
    ),
    ...(earlier ? [figureText(earlierCell?.rows[row]?.samples[HIGH], cell.pictures)] : []),
  ])
}

/** A full-size picture is not reduced, so both lights are one. */
const isWhole = ({ title }: SweptCell) => title.includes('full-size')

/** Without those of which some pictures do not reach the score: their means are of other pictures. */
const chartOf = ({ cells }: Run<SweptCell>): BarChart => ({
  title: `CPU of an image on the server at SSIMULACRA2 ${HIGH}, relative to a bare loop of sharp`,
  about: [
    'The dashed line is sharp alone with the encoders of Pixelmill, without a server; shorter is better. Behind each bar: its length, and kilobytes.',
    'Each is scored against the exact reduction of its kind: of stored samples, or of light. = has the effort of Pixelmill, fast and small are its own.',
  ],
  panels: cells.map((cell) => {
    const bare = figureOfKind(cell, 'bare sharp')
    return {
      title: cell.title,
      bars: namesOf(cell).flatMap((name) => {
        const figure = figureOfKind(cell, name)
        if (!figure || !bare || name === 'bare sharp' || figure.reached < cell.pictures) return []
        return [{ name, value: figure.ms / bare.ms, note: `${kilobytes(figure.bytes)} kB`, own: name.startsWith('Pixelmill') }]
      }),
    }
  }),
})
