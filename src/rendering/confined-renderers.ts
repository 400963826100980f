import type { ChildProcess } from 'node:child_process'
import type { HeicWriter } from '../codecs/heic/writers.ts'
import { ahead } from './ahead.ts'
import { keepCode } from './code-cache.ts'
import { type Granted, measures } from './confinement.ts'
import { chooseHeicWriter, type HeicWriting } from './heic-writer.ts'
import { longestSeconds } from './job-seconds.ts'
import { confineModels, type ModelGrants, type ModelRenderer } from './model-renderer.ts'
import { cpuSecondsLimit } from './slot.ts'
import {
  compilingCommand,
  environment,
  rendererCommand,
  rendererMeasures,
  rendererTask,
  spawnRenderer,
} from './spawn-renderer.ts'

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
  /** Renderers that are started at once, for whoever asks for one first. */
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
  // Heard of below.
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
