import type { ChildProcess } from 'node:child_process'
import type { HeicWriter } from '../../codecs/heic/writers.ts'
import { StartError } from '../../contract/start-error.ts'
import { runtimePackages } from '../../image/inference/session.ts'
import { longestSeconds } from '../../tasks/estimate.ts'
import { chooseHeicWriter, type HeicWriting } from '../heif-enc.ts'
import { cpuSecondsLimit } from '../worker.ts'
import { type Granted, measures, type Taken } from './confinement.ts'
import {
  ahead,
  canRead,
  compilingCommand,
  environment,
  keepCode,
  rendererCommand,
  rendererMeasures,
  rendererTask,
  spawnRenderer,
} from './spawn.ts'

/** What a pool works with: programs from which all is taken that this machine lets us take. */
export interface ConfinedRenderers extends HeicWriting {
  /** Starts a renderer with this nice value, 0 without. */
  spawn(nice?: number): ChildProcess
  /** Where there are models. */
  readonly model?: ModelRenderer
  /** Whether each measure holds here. */
  readonly confinement: Readonly<Record<string, boolean>>
  /** Has the next server's renderers start faster. @throws Error where that cannot be, which does no harm */
  keepCode(): Promise<void>
}

interface Settings {
  readonly HEIC: 'on' | 'off'
  readonly HEIC_WRITER: HeicWriter | 'auto'
  readonly RENDER_MEMORY_MB: number
  readonly RENDER_TIMEOUT_S: number
  /** Renderers that are started at once, before the first is asked for. */
  readonly startAtOnce?: number
}

/**
 * Learns, once, what of the confinement works on this machine, for renderers and for heif-enc.
 * @throws StartError when heif-enc is asked for and does not work, when renderers cannot read our own files or a model, or when
 * there are models without their runtime
 */
export async function confineRenderers(settings: Settings, models?: ModelGrants): Promise<ConfinedRenderers> {
  const granted: Granted = {
    memoryMegabytes: settings.RENDER_MEMORY_MB,
    cpuSeconds: cpuSecondsLimit(longestSeconds(settings.RENDER_TIMEOUT_S)),
  }
  const task = rendererTask(granted)
  // Switched off, HEVC is not encoded even to see whether it could be.
  const writer = settings.HEIC === 'off' ? 'none' : settings.HEIC_WRITER
  const writing = chooseHeicWriter(writer, granted)
  // Awaited below; until then a failure must not count as unhandled.
  writing.catch(() => {})
  const taken = await rendererMeasures(task)
  const command = rendererCommand(task, taken)
  const spawn = ahead((nice) => spawnRenderer(command, nice), settings.startAtOnce ?? 0)
  return {
    ...(await writing),
    spawn,
    keepCode: () => keepCode(compilingCommand(task, taken), environment),
    ...(models && { model: await confineModels(models, taken) }),
    confinement: Object.fromEntries(measures.map(({ name }) => [name, taken.has(name)])),
  }
}

/** What the settings grant the renderer of models, beyond what the others have. */
export interface ModelGrants {
  /** Absolute paths of the models, and of what they keep in files beside them. */
  readonly files: readonly string[]
  readonly memoryMegabytes: number
  readonly timeoutSeconds: number
  readonly threads: number
}

/** The one renderer that runs models: it is not another for each core, since each would have its own copy of them. */
export interface ModelRenderer {
  spawn(): ChildProcess
  readonly timeoutSeconds: number
  /** Resident bytes after which it is replaced. */
  readonly recycleBytes: number
  /** Ended after so long without work; five minutes without it. */
  readonly idleSeconds?: number
}

/** Weights stay resident; beyond this it is near its limit. */
const RECYCLE_SHARE = 0.75
const MEBIBYTE = 1024 * 1024

/** @throws StartError when the runtime is not installed, or a file cannot be read from within the confinement */
async function confineModels(grants: ModelGrants, taken: Taken): Promise<ModelRenderer> {
  const { files, memoryMegabytes, timeoutSeconds, threads } = grants
  const runtime = runtimePackages()
  if (!runtime)
    throw new StartError('Models need a runtime that is not installed: run `npm ci --prefix onnx` in the folder of the program.')
  const cpuSeconds = cpuSecondsLimit(timeoutSeconds, threads)
  const task = rendererTask({ memoryMegabytes, cpuSeconds }, [...runtime, ...files])
  if (!(await canRead(task, taken)))
    throw new StartError(`Renderers cannot read one of ${files.join(', ')}; give every user the right to read it.`)
  const command = rendererCommand(task, taken)
  return {
    spawn: () => spawnRenderer(command),
    timeoutSeconds,
    recycleBytes: memoryMegabytes * RECYCLE_SHARE * MEBIBYTE,
  }
}
