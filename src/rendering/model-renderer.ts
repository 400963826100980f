import type { ChildProcess } from 'node:child_process'
import { StartError } from '../contract/start-error.ts'
import { runtimePackages } from '../image/inference/runtime.ts'
import type { Taken } from './confinement.ts'
import { cpuSecondsLimit } from './slot.ts'
import { canRead, rendererCommand, rendererTask, spawnRenderer } from './spawn-renderer.ts'

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
export async function confineModels(grants: ModelGrants, taken: Taken): Promise<ModelRenderer> {
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
