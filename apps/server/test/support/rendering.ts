import { type ChildProcess, spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { join } from 'node:path'
import type { LaneName, PoolEvents } from '@pixelmill/engine/rendering/pool'
import { type Pool, type PoolSettings, startPool } from '@pixelmill/engine/rendering/pool'
import { frame } from '@pixelmill/engine/rendering/protocol'
import { confineRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import { renderersOf } from './server.ts'

const renderers = await confineRenderers({ HEIC: 'on', HEIC_WRITER: 'none', RENDER_MEMORY_MB: 3_072, RENDER_TIMEOUT_S: 60 })

const SAY = join(import.meta.dirname, '../../../../packages/engine/test/rendering/programs/say.ts')

/** Starts a real renderer. */
export const { spawn: spawnReal } = renderers

/** A lower priority, so that it is visible, but not so low that tests running in parallel starve it. */
export const NICE = 2
/** Long interactive work yields half as far. */
export const LONG_NICE = 1

const laneOf: Readonly<Record<number, LaneName>> = { [LONG_NICE]: 'long', [NICE]: 'background' }

/** A process in place of a renderer that sends these messages: the first at once, the others one for each request. */
export const saying = (...answers: readonly object[]): ChildProcess =>
  spawn(process.execPath, [SAY, ...answers.map((answer) => message({ ...measuredValue, ...answer }))], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
  })

const measuredValue = { ms: 1, rss: 1, cpuSeconds: 0, files: [] as readonly number[] }
const message = (answer: typeof measuredValue): string =>
  JSON.stringify({ frame: frame(answer).toString('base64'), files: answer.files })

/** Starts such processes first, which are ready and then give these answers, and real renderers after them: for `spawn` of a pool. */
export function sayingEach(...processes: readonly (readonly object[])[]): (nice?: number) => ChildProcess {
  let startedCount = 0
  return (nice) => {
    const answers = processes[startedCount++]
    return answers ? saying({ outcome: 'ready' }, ...answers) : spawnReal(nice)
  }
}

/** A pool with the server's defaults for what a test does not set, but small. */
export const openPool = (settings: Partial<PoolSettings> = {}, events: Partial<PoolEvents> = {}): Pool =>
  startPool(
    { ...renderers, renderers: 1, queue: 8, timeoutSeconds: 60, backgroundNice: NICE, ...settings },
    { onRender: () => {}, onRestart: () => {}, ...events },
  )

/** Process ids of this process's renderers in a lane, identified by their priority. */
export async function renderersIn(lane: LaneName): Promise<readonly number[]> {
  const pids = (await renderersOf(process.pid)).map(({ pid }) => pid)
  return pids.filter((pid) => {
    const priority = priorityOf(pid)
    return priority !== undefined && (laneOf[priority] ?? 'sync') === lane
  })
}

/** Undefined when it has ended meanwhile. */
function priorityOf(pid: number): number | undefined {
  try {
    return getPriority(pid)
  } catch {
    return undefined
  }
}

/** Nice values of a process's threads. */
export function threadPriorities(pid: number, threads: readonly string[]): readonly number[] {
  return threads.map((thread) => {
    const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8')
    // The name in parentheses may itself hold spaces and parentheses: the fields are counted after the last one.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })
}
