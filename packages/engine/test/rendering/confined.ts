import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { chmod, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type Confinement, RENDERER_USER, type Task } from '../../src/rendering/sandbox/confinement.ts'
import { endingSignal } from '../../src/rendering/sandbox/processes.ts'
import { rendererCommand, rendererMeasures, rendererTask, spawnRenderer } from '../../src/rendering/sandbox/spawn.ts'

const programs = join(import.meta.dirname, 'programs')
const renderer = rendererTask({ memoryMegabytes: 1_536, cpuSeconds: 1 })

/** A folder that renderers are shown, and that everybody may write to: what keeps it as it is has to be a measure. */
export const visibleFolder = await mkdtemp(join(tmpdir(), 'pixelmill-shown-'))
await chmod(visibleFolder, 0o777)
process.once('exit', () => rmSync(visibleFolder, { recursive: true, force: true }))

/** A renderer's task, but for the program that is run in its place and for smaller limits. */
export const task: Task = { ...renderer, readable: [...renderer.readable, programs, visibleFolder] }

/** What can be taken from a renderer on this machine. */
export const works: Confinement = await rendererMeasures(task)

/** Below a folder that only root can enter, the renderer's user can read its program in the private root alone. */
export const isClosed =
  process.geteuid?.() === 0 &&
  spawnSync('setpriv', [`--reuid=${RENDERER_USER}`, '--clear-groups', 'test', '-x', process.execPath]).status !== 0

export const attemptCommand = (confinement: Confinement, ...args: readonly string[]): readonly string[] => [
  ...rendererCommand(task, confinement, join(programs, 'attempts.ts')),
  ...args,
]

/** What came of an attempt: how it was refused, what it got, or how the process ended. */
export async function attempt(confinement: Confinement, name: string, argument: string): Promise<string> {
  const child = spawnRenderer(attemptCommand(confinement, name, argument))
  const [answer, words, [code, signal]] = await Promise.all([
    text(child.stdio[3] as NodeJS.ReadableStream),
    text(child.stderr as NodeJS.ReadableStream),
    once(child, 'exit'),
  ])
  if (answer === '') return `ended by ${endingSignal(code, signal) ?? `code ${code}`}: ${words.slice(-500)}`
  const { done, refused } = JSON.parse(answer) as { done?: string; refused?: string }
  return done === undefined ? `refused: ${refused}` : `done: ${done}`
}
