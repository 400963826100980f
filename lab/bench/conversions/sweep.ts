import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { median } from '../measure/median.ts'
import type { Server } from '../server/boot-server.ts'
import { type Conversion, closedLoopOf, uploads } from './conversion.ts'

const concurrencies = [2, 8, 16, 64] as const

export interface Speed {
  readonly concurrency: number
  readonly imagesPerSecond: number
  readonly medianMs: number
  readonly p95Ms: number
}

const speedOf = (concurrency: number, runs: readonly LoadResult[]): Speed => ({
  concurrency,
  imagesPerSecond: median(runs.map((run) => run.imagesPerSecond)),
  medianMs: median(runs.map((run) => run.latency.medianMs)),
  p95Ms: median(runs.map((run) => run.latency.p95Ms)),
})

/** Throughput and latency at each concurrency, repeated several times. */
export async function sweep(server: Server, photographs: Photographs, conversion: Conversion, passes: number): Promise<Speed[]> {
  const runs = new Map<number, LoadResult[]>(concurrencies.map((concurrency) => [concurrency, []]))
  for (let pass = 0; pass < passes; pass++) {
    for (const concurrency of concurrencies) {
      const plan = closedLoopOf(uploads(conversion, photographs), concurrency, conversion.sweep)
      runs.get(concurrency)?.push(await runLoad({ ...plan, port: server.port, key: server.key }))
    }
  }
  return [...runs].map(([concurrency, results]) => speedOf(concurrency, results))
}
