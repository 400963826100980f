import type { Outcome } from './send.ts'
import type { Memory } from './tree-memory.ts'

/** Share that must be converted of the files that sharp or libheif open. */
const SHARE_OPENED = 0.99

export interface Run {
  readonly files: number
  /** Files that sharp or libheif opened. */
  readonly expected: ReadonlySet<string>
  readonly outcomes: readonly Outcome[]
  readonly seconds: number
  readonly restarts: Readonly<Record<string, number>>
  readonly memory: Memory
  readonly alive: boolean
}

/** Prints the results, and returns whether all of them are as required. */
export function printReport({ files, outcomes, expected, seconds, restarts, memory, alive }: Run): boolean {
  const counts = Map.groupBy(outcomes, ({ status, said }) => `${status || '—'} ${said}`)
  const rows = [...counts].map(([answer, all]) => [all.length, answer] as const).sort(([a], [b]) => b - a)
  for (const [count, answer] of rows) console.log(`${String(count).padStart(7)}  ${answer}`)

  const wrong = outcomes.filter(({ documented }) => !documented)
  for (const { file, operation, status, said, ms } of wrong) {
    console.log(`  wrong: ${operation} ${file}: ${status || 'no status'} ${said} after ${(ms / 1000).toFixed(1)} s`)
  }
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, 3)
  for (const { file, operation, ms } of slowest) console.log(`  slow: ${operation} ${file}: ${(ms / 1000).toFixed(1)} s`)

  const replacements = Object.entries(restarts).map(([reason, count]) => `${count} ${reason}`)
  console.log(`${files} files, ${outcomes.length} requests, ${seconds.toFixed(0)} s`)
  console.log(`renderers replaced: ${replacements.join(', ') || 'none'}`)
  const [peak, early, late] = [memory.peak, memory.early, memory.late].map((bytes) => `${Math.round(bytes / 1024 / 1024)} MiB`)
  console.log(
    `memory: ${peak} at most for all processes; the API process ${early} after a quarter of the time, ${late} at the end`,
  )
  const share = shareOpened(expected, outcomes)
  console.log(alive ? 'The server lives.' : 'THE SERVER HAS DIED.')
  if (outcomes.length === 0) console.log('There was nothing to send.')
  return alive && wrong.length === 0 && outcomes.length > 0 && share >= SHARE_OPENED
}

/** How many of the files that others open get an image from the first operation; lists the others. */
function shareOpened(expected: ReadonlySet<string>, outcomes: readonly Outcome[]): number {
  const first = outcomes.filter(({ file, operation }) => operation === 'convert' && expected.has(file))
  const refusals = first.filter(({ status }) => status !== 200)
  for (const { file, status, said } of refusals) console.log(`  opened by others: ${file}: ${status} ${said}`)
  const share = first.length === 0 ? 1 : 1 - refusals.length / first.length
  console.log(
    `${first.length - refusals.length} of ${first.length} files that sharp or libheif open are converted: ${(share * 100).toFixed(1)} %`,
  )
  return share
}
