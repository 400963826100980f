import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { HeicWriter } from '@pixelmill/codecs/programs'
import { longestSeconds } from '../../tasks/estimate.ts'
import { SYSTEM_FOLDERS } from '../external-program.ts'
import { Finishers } from '../finishers.ts'
import type { RendererChild } from '../upload-file.ts'
import { cpuSecondsLimit } from '../worker.ts'
import { type Confinement, type Grants, measures } from './confinement.ts'
import { EarlyRenderers } from './early-renderers.ts'
import {
  canRead,
  compilingCommand,
  environment,
  keepCode,
  rendererCommand,
  rendererMeasures,
  rendererTask,
  spawnRenderer,
} from './spawn.ts'
import { mostMeasures } from './working-measures.ts'

/** The renderers of a pool, in the strongest sandbox that this machine supports. */
export interface ConfinedRenderers {
  readonly finishers: Finishers
  /** Starts a renderer with this nice value, 0 without. */
  spawn(nice?: number): RendererChild
  /** Ends those that were started at once, and are not in use. */
  endUnused(): void
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
  /** How many are started at once, before the first is requested. */
  readonly startAtOnce?: number
  /** Whether programs that finish files are not tried now: who renders awaits `finishers.trial` where one may be needed. */
  readonly triesProgramsLater?: boolean
}

/**
 * Finds out, once, which sandbox measures work on this machine, for renderers and for the programs that finish files.
 * @throws StartError if heif-enc is requested and does not work, or if renderers cannot read our own files or a model
 */
export async function confineRenderers(settings: Settings, models?: ModelGrants): Promise<ConfinedRenderers> {
  const grants: Grants = {
    memoryMegabytes: settings.RENDER_MEMORY_MB,
    cpuSeconds: cpuSecondsLimit(longestSeconds(settings.RENDER_TIMEOUT_S)),
  }
  const task = rendererTask(grants)
  // If HEIC is switched off, heif-enc is not even tested.
  const writer = settings.HEIC === 'off' ? 'none' : settings.HEIC_WRITER
  const finishers = new Finishers(writer, grants, settings.programPath ?? SYSTEM_FOLDERS)
  // They load while the measures are tried. Where not all work, these are ended, and others are started when they are needed.
  const most = mostMeasures(measures)
  const start = () => spawnRenderer(rendererCommand(task, most))
  const early = new EarlyRenderers(Array.from({ length: settings.startAtOnce ?? 0 }, start))
  using cleanup = new DisposableStack()
  cleanup.use(early)
  const [confinement] = await Promise.all([rendererMeasures(task), settings.triesProgramsLater ? undefined : finishers.trial()])
  const command = rendererCommand(task, confinement)
  if (confinement.size < most.size) early[Symbol.dispose]()
  const model = models && (await confineModels(models, confinement))
  cleanup.move()
  return {
    finishers,
    spawn: (nice = 0) => (nice === 0 ? early.take() : undefined) ?? spawnRenderer(command, nice),
    endUnused: () => early[Symbol.dispose](),
    keepCode: () => keepCode(compilingCommand(task, confinement), environment),
    ...(model && { model }),
    confinement: Object.fromEntries(measures.map(({ name }) => [name, confinement.has(name)])),
  }
}

/** Additional permissions of the renderer for models. */
export interface ModelGrants {
  /** Absolute paths of the models, and of their external data files. */
  readonly files: readonly string[]
  /** Absolute paths of the runtime's packages. */
  readonly runtime: readonly string[]
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

/** @throws StartError if a file cannot be read inside the sandbox */
async function confineModels(grants: ModelGrants, confinement: Confinement): Promise<ModelRenderer> {
  const { files, runtime, memoryMegabytes, timeoutSeconds, threads } = grants
  const cpuSeconds = cpuSecondsLimit(timeoutSeconds, threads)
  const task = rendererTask({ memoryMegabytes, cpuSeconds }, [...runtime, ...files])
  if (!(await canRead(task, confinement)))
    throw new StartError(`Renderers cannot read one of ${files.join(', ')}; give every user the right to read it.`)
  const command = rendererCommand(task, confinement)
  return {
    spawn: () => spawnRenderer(command),
    timeoutSeconds,
    recycleBytes: memoryMegabytes * RECYCLE_SHARE * MEBIBYTE,
  }
}
