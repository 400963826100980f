import type { Measurement } from '../bench.ts'
import { runLoad } from '../load/run-load.ts'
import { peakDuring } from '../measure/peak.ts'
import { sleep } from '../measure/sleep.ts'
import { type PerRole, roles, sumOf } from '../measure/tree-usage.ts'
import { megabytes } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer } from '../server/boot-server.ts'
import { mixedRequests } from './mixed-requests.ts'

interface Moment {
  readonly what: string
  readonly used: PerRole
}

const concurrency = 16
const mostMegabytes = 450
/** Garbage was collected by then, and PostgreSQL's connections of the start have ended. */
const restMs = 75_000
const restMegabytes = 150

function memoryTable(moments: readonly Moment[]): Table {
  return {
    title: `Memory of all processes (PSS, MB), mixed requests at concurrency ${concurrency}`,
    columns: ['moment', 'all', ...roles],
    rows: moments.map(({ what, used }) => [what, megabytes(sumOf(used)), ...roles.map((role) => megabytes(used[role]))]),
    notes: [
      `Bar: ${restMegabytes} MB at rest without npm, ${restMs / 1000} s after the start.`,
      `Bar: below ${mostMegabytes} MB after the first thousand, and no growth over the second. Shared pages are counted once.`,
    ],
  }
}

/** Whether memory usage stays constant. */
export const measureMemory: Measurement = {
  names: ['memory'],
  async measure({ photographs, quick }) {
    const images = quick ? 240 : 1000
    const requests = mixedRequests(photographs)
    const server = await bootServer()
    const { port, key } = server
    const moments: Moment[] = [{ what: 'ready', used: server.memory() }]
    try {
      progress('memory: at rest')
      await sleep(restMs)
      moments.push({ what: 'at rest', used: server.memory() })
      for (const lap of [1, 2, ...(quick ? [] : [3])]) {
        progress(`memory: ${images} mixed requests, lap ${lap}`)
        const peak = await peakDuring(server.memory, () =>
          runLoad({ port, key, requests, concurrency, until: { images }, retry: 'wait' }),
        )
        await sleep(1000)
        moments.push(
          { what: `peak up to ${lap * images}`, used: peak.used },
          { what: `after ${lap * images}`, used: server.memory() },
        )
      }
    } finally {
      await server.stop()
    }
    return [memoryTable(moments)]
  },
}
