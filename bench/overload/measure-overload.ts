import type { Measurement } from '../bench.ts'
import { uploads } from '../conversions/conversion.ts'
import { conversions } from '../conversions/index.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { progress } from '../report/progress.ts'
import { bootServer } from '../server/boot-server.ts'
import { overloadTable, type Scene } from './overload-table.ts'

const queue = 16

const scenes: readonly Scene[] = [
  { concurrency: 8, retry: 'wait', overloaded: false },
  { concurrency: 16, retry: 'wait', overloaded: false },
  { concurrency: 64, retry: 'wait', overloaded: true },
  { concurrency: 64, retry: 'at once', overloaded: true },
]

/** Four times as many clients as the queue holds, polite and impatient ones, beside the peak that the same server has without them. */
export const measureOverload: Measurement = {
  names: ['overload'],
  async measure({ photographs, quick }) {
    const conversion = conversions.find(({ name }) => name === 'webp')
    if (!conversion) throw new Error('the conversion that overload is measured with is gone')
    const requests = uploads(conversion, photographs)
    const server = await bootServer({ RENDER_QUEUE: String(queue) })
    const { port, key } = server
    const runs = new Map<Scene, LoadResult[]>(scenes.map((scene) => [scene, []]))
    try {
      await runLoad({ port, key, requests, concurrency: 8, until: { images: 48 }, retry: 'wait' })
      for (let pass = 0; pass < (quick ? 1 : 3); pass++) {
        for (const scene of scenes) {
          progress(`overload: concurrency ${scene.concurrency}, retry: ${scene.retry}`)
          const { concurrency, retry } = scene
          runs.get(scene)?.push(await runLoad({ port, key, requests, concurrency, until: { seconds: quick ? 4 : 10 }, retry }))
        }
      }
    } finally {
      await server.stop()
    }
    return [overloadTable(`${conversion.title}, RENDER_QUEUE=${queue}`, runs)]
  },
}
