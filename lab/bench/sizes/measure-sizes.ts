import { availableParallelism } from 'node:os'
import type { Bench, Measurement } from '../bench.ts'
import { type Conversion, closedLoopOf, uploads } from '../conversions/conversion.ts'
import { conversions } from '../conversions/index.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { median } from '../measure/median.ts'
import { type PerRole, sumOf } from '../measure/tree-usage.ts'
import { megabytes, ms, perSecond } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer, type Server } from '../server/boot-server.ts'

const cores = availableParallelism()
const sizes = [...new Set([1, cores, cores + 1, 2 * cores])]
const concurrencies = [2, 16] as const

interface Run {
  readonly load: LoadResult
  readonly cpu: PerRole
}

interface Sized {
  readonly renderers: number
  readonly server: Server
  readonly runs: ReadonlyMap<number, Run[]>
}

async function runOnce({ server }: Sized, { photographs }: Bench, conversion: Conversion, concurrency: number): Promise<Run> {
  const plan = closedLoopOf(uploads(conversion, photographs), concurrency, conversion.block)
  const { result, cpu } = await server.cpuDuring(() => runLoad({ ...plan, port: server.port, key: server.key }))
  return { load: result, cpu }
}

const sizesTable = (all: readonly Sized[], { title, block }: Conversion): Table => ({
  title: `How many renderers: ${title} on ${cores} cores`,
  columns: [
    'RENDERERS',
    ...concurrencies.flatMap((clients) => [`c = ${clients}: images/s`, 'median ms', '95th ms']),
    'ms CPU an image',
    'memory MB',
  ],
  rows: all.map(({ renderers, server, runs }) => {
    const middle = (concurrency: number, value: (run: Run) => number) => median((runs.get(concurrency) ?? []).map(value))
    return [
      `${renderers}${renderers === cores ? ' (default)' : ''}`,
      ...concurrencies.flatMap((clients) => [
        perSecond(middle(clients, ({ load }) => load.imagesPerSecond)),
        middle(clients, ({ load }) => load.latency.medianMs).toFixed(0),
        middle(clients, ({ load }) => load.latency.p95Ms).toFixed(0),
      ]),
      ms(middle(concurrencies[1], ({ cpu }) => sumOf(cpu) / block)),
      megabytes(sumOf(server.memory())),
    ]
  }),
  notes: ['All servers run at the same time, and one of them works; medians of interleaved passes.'],
})

/** Whether as many renderers as cores is right: with more, a core stays busy while one waits; otherwise they share it. */
export const measureSizes: Measurement = {
  names: ['sizes'],
  async measure(bench) {
    const conversion = conversions.find(({ name }) => name === 'webp')
    if (!conversion) throw new Error('the conversion that numbers of renderers are compared with is gone')
    const all: Sized[] = []
    try {
      for (const renderers of sizes) {
        const server = await bootServer({ RENDERERS: String(renderers) })
        all.push({ renderers, server, runs: new Map(concurrencies.map((clients) => [clients, []])) })
      }
      for (const one of all) await runOnce(one, bench, conversion, cores)
      for (let pass = 0; pass < (bench.quick ? 1 : 3); pass++) {
        progress(`sizes: pass ${pass + 1}`)
        for (const clients of concurrencies)
          for (const one of pass % 2 ? all.toReversed() : all)
            one.runs.get(clients)?.push(await runOnce(one, bench, conversion, clients))
      }
      return [sizesTable(all, conversion)]
    } finally {
      for (const { server } of all) await server.stop()
    }
  },
}
