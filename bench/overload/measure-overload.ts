import type { Measurement } from '../bench.ts'
import { uploads } from '../conversions/conversion.ts'
import { conversions } from '../conversions/index.ts'
import { peakDuring } from '../measure/peak.ts'
import { sumOf } from '../measure/tree-usage.ts'
import { startWorkerProcess } from '../measure/worker-process.ts'
import { progress } from '../report/progress.ts'
import { bootServer } from '../server/boot-server.ts'
import { overloadTable, type Scene, type SceneResult } from './overload-table.ts'
import { goodput } from './reckoning.ts'
import type { PhaseResult, StormPlan } from './storm-plan.ts'

const TIMES = 8
const QUEUE = 32
/** As many as keep two renderers and the service around them busy. */
const CLIENTS_AT_PEAK = 8
const LOOK_MS = 1_000

/** In a fresh process, whose heap and sockets owe nothing to the run before. */
async function runStorm(plan: StormPlan): Promise<readonly PhaseResult[]> {
  const generator = await startWorkerProcess(new URL('storm-process.ts', import.meta.url))
  try {
    return await generator.ask(plan)
  } finally {
    await generator.stop()
  }
}

/** What arrives in each scene, and half of what can be done before and after it. */
const scenesOf = (perSecond: number): readonly Scene[] => [
  { name: `${TIMES} × the peak arrives, whoever waits`, load: { perSecond: TIMES * perSecond } },
  { name: `${TIMES * QUEUE} clients, which wait as Retry-After says`, load: { clients: TIMES * QUEUE, retry: 'wait' } },
  { name: `${TIMES * QUEUE} clients, which try again at once`, load: { clients: TIMES * QUEUE, retry: 'at once' } },
]

/** Far more than the server can do, for a minute, beside the peak that the same server has without it. */
export const measureOverload: Measurement = {
  names: ['overload'],
  async measure({ photographs, quick }) {
    const conversion = conversions.find(({ name }) => name === 'webp')
    if (!conversion) throw new Error('the conversion that overload is measured with is gone')
    const requests = uploads(conversion, photographs)
    const server = await bootServer({ RENDER_QUEUE: String(QUEUE) })
    const plan = { port: server.port, keys: [server.key], requests }
    const peakOnce = async (seconds: number) => {
      const phases = [{ seconds, clients: CLIENTS_AT_PEAK, retry: 'wait' }] as const
      return goodput(await runStorm({ ...plan, phases }), 0)
    }
    const [around, storming] = quick ? [5, 15] : [10, 60]
    const results: SceneResult[] = []
    try {
      progress('overload: warming up')
      await peakOnce(around)
      for (const [at, { name }] of scenesOf(1).entries()) {
        progress(`overload: ${name}`)
        const before = await peakOnce(2 * around)
        const scene = scenesOf(before)[at]
        if (!scene) throw new Error('a scene is gone')
        const calm = { seconds: around, perSecond: before / 2 }
        const phases = [calm, { seconds: storming, ...scene.load }, calm]
        const storm = () => peakDuring(server.memory, () => runStorm({ ...plan, phases }), LOOK_MS)
        const { result, used } = await storm()
        const after = await peakOnce(2 * around)
        const memory = { most: sumOf(used), after: sumOf(server.memory()) }
        results.push({ scene, phases: result, peak: Math.max(before, after), memory })
      }
    } finally {
      await server.stop()
    }
    return [overloadTable(`${conversion.title}, RENDER_QUEUE=${QUEUE}, ${storming} s`, results)]
  },
}
