import { rmSync } from 'node:fs'
import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from '@pixelmill/engine/rendering/pool'
import { confineRenderers } from '@pixelmill/engine/rendering/sandbox/renderers'
import { runtimePackages } from '@pixelmill/vision/inference/session'
import { type FoundModels, findModels, type ModelsSettings } from 'pixelmill/models/find-models'
import { type ModelName, type ModelReport, type Models, openModels } from '../../src/models/models.ts'
import { inProcess } from './in-process.ts'
import { openPool } from './rendering.ts'

/** For `skip` of tests that run models: the reason where they cannot run. */
export const needsRuntime = { skip: runtimePackages() ? false : 'the runtime of models is missing: npm ci --prefix onnx' }

const folder = await mkdtemp(join(tmpdir(), 'pixelmill-models-'))
// Renderers of a server that runs as root use another user.
await chmod(folder, 0o755)
// Not after the tests: a file may write models between them.
process.once('exit', () => rmSync(folder, { recursive: true, force: true }))

/** Writes a model into a folder that is removed after the tests; the file name gives its kind. */
export async function modelFile(name: string, bytes: Buffer | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}

const defaults: ModelsSettings = {
  DATA_DIR: folder,
  BG_MODEL_PATH: undefined,
  BG_MODEL_SHA256: undefined,
  BG_MODEL_PRESET: undefined,
  BG_MODEL_SIZE: undefined,
  BG_MODEL_MEAN: undefined,
  BG_MODEL_STD: undefined,
  BG_MODEL_ACTIVATION: 'auto',
  SR_MODEL_PATH: undefined,
  SR_MODEL_SHA256: undefined,
  MODEL_MEMORY_MB: 2_048,
  MODEL_THREADS: 1,
  MODEL_TIMEOUT_S: 60,
}

export interface OpenedModels extends AsyncDisposable {
  readonly pool: Pool
  readonly models: Models
  /** The result of a model's trial run, as soon as it is available. */
  tried(name: ModelName): Promise<ModelReport>
}

/** Models in a pool of their own, as the server has them. */
export const openedModels = (some: Partial<ModelsSettings>): Promise<OpenedModels> =>
  openModelsWith(some, async ({ grants }) => {
    const own = { HEIC: 'on', HEIC_WRITER: 'none', RENDER_MEMORY_MB: 3_072, RENDER_TIMEOUT_S: 60 } as const
    return openPool(await confineRenderers(own, grants))
  })

/**
 * Models whose tasks run in this process, for tests of what tasks do with models: starting a renderer takes ten times as long. A process
 * loads the file of a path once.
 */
export const modelsInProcess = (some: Partial<ModelsSettings>): Promise<OpenedModels> =>
  openModelsWith(some, async () => ({ ...inProcess, of: () => inProcess, close: async () => {} }) as unknown as Pool)

async function openModelsWith(
  some: Partial<ModelsSettings>,
  open: (foundModels: FoundModels) => Promise<Pool>,
): Promise<OpenedModels> {
  const settings = { ...defaults, ...some }
  const foundModels = await findModels(settings)
  const pool = await open(foundModels)
  const trials = { background: Promise.withResolvers<ModelReport>(), superResolution: Promise.withResolvers<ModelReport>() }
  const models = openModels(foundModels, settings, pool, (name, report) => trials[name].resolve(report))
  return {
    pool,
    models,
    tried: (name) => trials[name].promise,
    async [Symbol.asyncDispose]() {
      models.close()
      await pool.close()
    },
  }
}
