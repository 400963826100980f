import type { Outcome } from './send.ts'

export interface Run {
  readonly files: number
  readonly outcomes: readonly Outcome[]
  readonly seconds: number
  readonly restarts: Readonly<Record<string, number>>
  readonly peakBytes: number
  readonly alive: boolean
}

/** Prints what was answered, and returns whether all of it was as it should be. */
export function printReport({ files, outcomes, seconds, restarts, peakBytes, alive }: Run): boolean {
  const counts = Map.groupBy(outcomes, ({ status, said }) => `${status || '—'} ${said}`)
  const rows = [...counts].map(([answer, all]) => [all.length, answer] as const).sort(([a], [b]) => b - a)
  for (const [count, answer] of rows) console.log(`${String(count).padStart(7)}  ${answer}`)

  const wrong = outcomes.filter(({ documented }) => !documented)
  for (const { file, operation, status, said, ms } of wrong) {
    console.log(`  wrong: ${operation} ${file}: ${status || 'no status'} ${said} after ${(ms / 1000).toFixed(1)} s`)
  }
  const slowest = [...outcomes].sort((a, b) => b.ms - a.ms).slice(0, 3)
  for (const { file, operation, ms } of slowest) console.log(`  slow: ${operation} ${file}: ${(ms / 1000).toFixed(1)} s`)

  const replaced = Object.entries(restarts).map(([reason, count]) => `${count} ${reason}`)
  console.log(`${files} files, ${outcomes.length} requests, ${seconds.toFixed(0)} s`)
  console.log(
    `renderers replaced: ${replaced.join(', ') || 'none'}; peak memory of all processes: ${Math.round(peakBytes / 1024 / 1024)} MiB`,
  )
  console.log(alive ? 'The server lives.' : 'THE SERVER HAS DIED.')
  if (outcomes.length === 0) console.log('There was nothing to send.')
  return alive && wrong.length === 0 && outcomes.length > 0
}
