import type { Round } from './round.ts'

const seconds = (number: number) => `${number.toFixed(1)} s`

/** A column: its heading and its value. */
const columns: readonly (readonly [head: string, cell: (round: Round) => string])[] = [
  ['killed', ({ victim }) => victim],
  ['after', ({ killedAfter, doneBefore }) => `${seconds(killedAfter)}, ${doneBefore} images done`],
  ['batches', ({ batches }) => String(batches)],
  ['images', ({ images }) => String(images)],
  ['claimed again', ({ repeatedClaims }) => String(repeatedClaims)],
  ['answers again after', ({ backAfter }) => seconds(backAfter)],
  ['all completed after', ({ completedAfter }) => seconds(completedAfter)],
  ['result', ({ faults }) => (faults.length === 0 ? 'all kept' : `${faults.length} FAULTS`)],
]

const row = (cells: readonly string[]) => console.log(`| ${cells.join(' | ')} |`)

export function printHead(): void {
  row(['round', ...columns.map(([head]) => head)])
  row(['---', ...columns.map(() => '---')])
}

export function printRow(number: number, round: Round): void {
  row([String(number), ...columns.map(([, cell]) => cell(round))])
  for (const fault of round.faults) console.log(`  ${fault}`)
}

export interface Summary {
  readonly rounds: readonly Round[]
  readonly wanted: number
  /** Webhooks delivered more than once, recognised by their id. */
  readonly repeatedEvents: number
  readonly faults: readonly string[]
}

export function printSummary({ rounds, wanted, repeatedEvents, faults }: Summary): void {
  const sum = (of: (round: Round) => number) => rounds.reduce((total, round) => total + of(round), 0)
  const worst = (of: (round: Round) => number) => seconds(Math.max(0, ...rounds.map(of)))
  console.log(`
${rounds.length} of ${wanted} kills; ${sum((round) => round.batches)} batches, ${sum((round) => round.images)} images
answers again after ${worst((round) => round.backAfter)} at most, all completed after ${worst((round) => round.completedAfter)} at most
${sum((round) => round.repeatedClaims)} images were claimed again; ${repeatedEvents} webhooks came more than once`)
  for (const fault of faults) console.log(`FAULT: ${fault}`)
  console.log(
    faults.length === 0
      ? 'Nothing was lost, done twice, charged twice, reported twice or left behind.'
      : `${faults.length} FAULTS`,
  )
}
