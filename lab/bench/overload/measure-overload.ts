import { availableParallelism } from 'node:os'
import type { Measurement } from '../bench.ts'
import { uploads } from '../conversions/conversion.ts'
import { conversions } from '../conversions/index.ts'
import type { PlannedRequest } from '../load/load-plan.ts'
import { peakDuring } from '../measure/peak.ts'
import { sumOf } from '../measure/tree-usage.ts'
import { startWorkerProcess } from '../measure/worker-process.ts'
import { progress } from '../report/progress.ts'
import { bootServer } from '../server/boot-server.ts'
import { overloadTable, type Scene, type SceneResult } from './overload-table.ts'
import { goodput } from './reckoning.ts'
import type { PhaseResult, StormPlan } from './storm-plan.ts'

const TIMES = 8
/** Half of the default for each core: the queue is drained within the two seconds allowed for recovery. */
const QUEUE_PER_CORE = 16
/** Clients for each core that keep a renderer and the service around it busy. */
const CLIENTS_PER_CORE = 4
const LOOK_MS = 1_000

/** How the processors are shared. */
interface Machine {
  readonly title: string
  readonly cores: number
  readonly server?: string
  readonly generator?: string
}

/**
 * A generator that shares the server's processors distorts the measurement; on a machine of its own, as real clients are, it
 * would not.
 */
function machines(): readonly Machine[] {
  const cores = availableParallelism()
  const sharedMachine: Machine = { title: 'the generator on the same processors', cores }
  if (cores < 2) return [sharedMachine]
  const own = { cores: cores - 1, server: cores > 2 ? `0-${cores - 2}` : '0', generator: String(cores - 1) }
  return [{ title: 'the generator on a processor of its own', ...own }, sharedMachine]
}

/** In a fresh process, so that heap and sockets are not affected by the previous run. */
async function runStorm(plan: StormPlan): Promise<readonly PhaseResult[]> {
  const generator = await startWorkerProcess(new URL('storm-process.ts', import.meta.url))
  try {
    return await generator.ask(plan)
  } finally {
    await generator.stop()
  }
}

/** Arrivals in each scene; before and after it, half of what can be served arrives. */
const scenesOf = (perSecond: number, clients: number): readonly Scene[] => [
  { name: `${TIMES} × the peak arrives, however many wait`, load: { perSecond: TIMES * perSecond } },
  { name: `${clients} clients, which wait as Retry-After says`, load: { clients, retry: 'wait' } },
  { name: `${clients} clients, which try again at once`, load: { clients, retry: 'at once' } },
]

async function measureOn(machine: Machine, requests: readonly PlannedRequest[], quick: boolean): Promise<SceneResult[]> {
  const { title, cores } = machine
  const queue = QUEUE_PER_CORE * cores
  const server = await bootServer({ RENDER_QUEUE: String(queue) }, machine.server)
  const at = machine.generator === undefined ? {} : { processors: machine.generator }
  const plan = { port: server.port, keys: [server.key], requests, ...at }
  const peakOnce = async (seconds: number) => {
    const phases = [{ seconds, clients: CLIENTS_PER_CORE * cores, retry: 'wait' }] as const
    return goodput(await runStorm({ ...plan, phases }), 0)
  }
  const [around, storming] = quick ? [5, 15] : [10, 60]
  const results: SceneResult[] = []
  try {
    progress(`overload: ${title}: warming up`)
    await peakOnce(2 * around)
    for (const [index, { name }] of scenesOf(1, TIMES * queue).entries()) {
      progress(`overload: ${title}: ${name}`)
      const before = await peakOnce(2 * around)
      const scene = scenesOf(before, TIMES * queue)[index]
      if (!scene) throw new Error('a scene is gone')
      const calm = { seconds: around, perSecond: before / 2 }
      const phases = [calm, { seconds: storming, ...scene.load }, calm]
      const { result, used } = await peakDuring(server.memory, () => runStorm({ ...plan, phases }), LOOK_MS)
      const after = await peakOnce(2 * around)
      const memory = { most: sumOf(used), after: sumOf(server.memory()) }
      results.push({ scene, phases: result, peak: (before + after) / 2, memory })
    }
  } finally {
    await server.stop()
  }
  return results
}

/** Far more load than the server can handle, for a minute, compared with the same server's peak without it. */
export const measureOverload: Measurement = {
  names: ['overload'],
  async measure({ photographs, quick }) {
    const conversion = conversions.find(({ name }) => name === 'webp')
    if (!conversion) throw new Error('the conversion that overload is measured with is gone')
    const requests = uploads(conversion, photographs)
    const tables = []
    for (const machine of machines()) {
      const { cores, title } = machine
      const what = `${conversion.title}, ${cores} ${cores === 1 ? 'renderer' : 'renderers'}, RENDER_QUEUE=${QUEUE_PER_CORE * cores}, ${title}`
      tables.push(overloadTable(what, await measureOn(machine, requests, quick)))
    }
    return tables
  },
}
