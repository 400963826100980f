import { percent } from '../bench/report/numbers.ts'
import type { Table } from '../bench/report/table.ts'
import type { Score } from './score.ts'

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / (values.length || 1)
const BAD = 0.6
const GOOD = 0.85
const gates = [0, 0.5, 0.6, 0.7, 0.8] as const

/** How well subjects are found on each kind of backdrop, at any confidence. */
export function backdropTable(set: string, scores: readonly Score[]): Table {
  const row = (name: string, some: readonly Score[]) => [
    name,
    String(some.length),
    mean(some.map(({ overlap }) => overlap)).toFixed(3),
    percent(some.filter(({ overlap }) => overlap < BAD).length / (some.length || 1)),
    mean(some.map(({ mixedError }) => mixedError)).toFixed(3),
    mean(some.map(({ confidence }) => confidence)).toFixed(2),
    mean(some.map(({ ms }) => ms)).toFixed(0),
  ]
  const kinds = [...new Set(scores.map(({ backdrop }) => backdrop))]
  return {
    title: `Background removal, ${set} set, by backdrop`,
    columns: ['backdrop', 'pictures', 'mean IoU', `IoU < ${BAD}`, 'error of mixed pixels', 'mean confidence', 'ms CPU'],
    rows: [
      ...kinds.map((kind) =>
        row(
          kind,
          scores.filter(({ backdrop }) => backdrop === kind),
        ),
      ),
      row(
        'all of a studio',
        scores.filter(({ studio }) => studio),
      ),
      row(
        'all photographs',
        scores.filter(({ studio }) => !studio),
      ),
    ],
  }
}

/** What is returned and what is refused at each minimum confidence. */
export function gateTable(set: string, scores: readonly Score[]): Table {
  const bad = scores.filter(({ overlap }) => overlap < BAD)
  const good = scores.filter(({ overlap }) => overlap >= GOOD)
  return {
    title: `Background removal, ${set} set, by least confidence`,
    columns: ['least confidence', 'returned', 'mean IoU', `IoU ≥ ${BAD}`, 'bad ones returned', 'good ones refused'],
    rows: gates.map((gate) => {
      const answers = scores.filter(({ confidence }) => confidence >= gate)
      return [
        gate.toFixed(1),
        `${answers.length} of ${scores.length}`,
        mean(answers.map(({ overlap }) => overlap)).toFixed(3),
        percent(answers.filter(({ overlap }) => overlap >= BAD).length / (answers.length || 1)),
        `${bad.filter(({ confidence }) => confidence >= gate).length} of ${bad.length}`,
        `${good.filter(({ confidence }) => confidence < gate).length} of ${good.length}`,
      ]
    }),
    notes: [`Bad is an IoU below ${BAD}, good one of at least ${GOOD}.`],
  }
}
