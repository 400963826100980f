import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { HeicWriter, Programs } from '@pixelmill/codecs/programs'
import { runtimePackages } from '@pixelmill/vision/inference/session'
import { longestSeconds } from '../../tasks/estimate.ts'
import { SYSTEM_FOLDERS, workingProgram } from '../external-program.ts'
import type { Encoders } from '../finishing.ts'
import { chooseHeicWriter, cjxl } from '../programs.ts'
import type { RendererChild } from '../upload-file.ts'
import { cpuSecondsLimit, RENDERERS_KEPT } from '../worker.ts'
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

/** The renderers of a pool, in the strongest sandbox that this machine supports. */
export interface ConfinedRenderers {
  readonly programs: Programs
  readonly encoders: Encoders
  /** Starts a renderer with this nice value, 0 without. */
  spawn(nice?: number): RendererChild
  /** Present if there are models. */
  readonly model?: ModelRenderer
  /** Whether each sandbox measure works here. */
  readonly confinement: Readonly<Record<string, boolean>>
  /** Makes the next server's renderers start faster. @throws Error if that is not possible, which is harmless */
  keepCode(): Promise<void>
}

interface Settings {
  readonly HEIC: 'on' | 'off'
  readonly HEIC_WRITER: HeicWriter | 'auto'
  readonly RENDER_MEMORY_MB: number
  readonly RENDER_TIMEOUT_S: number
  /** Folders of programs, as in PATH; by default those of the system. */
  readonly programPath?: string | undefined
  /** Whether the renderers that the pool keeps are started at once, before the first is requested. */
  readonly startAtOnce?: boolean
}

/**
 * Finds out, once, which sandbox measures work on this machine, for renderers and for the programs that finish files.
 * @throws StartError if heif-enc is requested and does not work, if renderers cannot read our own files or a model, or if there
 * are models without their runtime
 */
export async function confineRenderers(settings: Settings, models?: ModelGrants): Promise<ConfinedRenderers> {
  const granted: Granted = {
    memoryMegabytes: settings.RENDER_MEMORY_MB,
    cpuSeconds: cpuSecondsLimit(longestSeconds(settings.RENDER_TIMEOUT_S)),
  }
  const task = rendererTask(granted)
  // If HEIC is switched off, heif-enc is not even tested.
  const writer = settings.HEIC === 'off' ? 'none' : settings.HEIC_WRITER
  const folders = settings.programPath ?? SYSTEM_FOLDERS
  const writing = chooseHeicWriter(writer, granted, folders)
  // Awaited below; until then a failure must not count as an unhandled rejection.
  writing.catch(() => {})
  const [taken, packJpeg] = await Promise.all([rendererMeasures(task), workingProgram(cjxl, granted, folders)])
  const command = rendererCommand(task, taken)
  const spawn = ahead((nice) => spawnRenderer(command, nice), settings.startAtOnce ? RENDERERS_KEPT : 0)
  const { heicWriter, encodeHeif } = await writing
  return {
    programs: { heicWriter, cjxl: packJpeg !== undefined },
    encoders: { ...(encodeHeif && { 'heif-enc': encodeHeif }), ...(packJpeg && { cjxl: packJpeg }) },
    spawn,
    keepCode: () => keepCode(compilingCommand(task, taken), environment),
    ...(models && { model: await confineModels(models, taken) }),
    confinement: Object.fromEntries(measures.map(({ name }) => [name, taken.has(name)])),
  }
}

/** Additional permissions of the renderer for models. */
export interface ModelGrants {
  /** Absolute paths of the models, and of their external data files. */
  readonly files: readonly string[]
  readonly memoryMegabytes: number
  readonly timeoutSeconds: number
  readonly threads: number
}

/** There is one renderer for models, not one for each core, since each would have its own copy of them. */
export interface ModelRenderer {
  spawn(): RendererChild
  readonly timeoutSeconds: number
  /** Resident bytes after which it is replaced. */
  readonly recycleBytes: number
  /** Ended after being idle for this long; five minutes by default. */
  readonly idleSeconds?: number
}

/** Weights stay resident; beyond this it is near its limit. */
const RECYCLE_SHARE = 0.75
const MEBIBYTE = 1024 * 1024

/** @throws StartError if the runtime is not installed, or a file cannot be read inside the sandbox */
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
