import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { ModelGrants } from '@pixelmill/engine/rendering/sandbox/renderers'
import { presetOfFile } from '@pixelmill/vision/inference/mask-presets'
import type { MaskModel } from '@pixelmill/vision/inference/predict-mask'
import { type ModelFile, type RuntimePackages, runtimePackages } from '@pixelmill/vision/inference/session'
import { type InstalledModel, modelPath, readInstalledModels, runtimeFolder } from './installed-models.ts'

/** The settings of models; see docs/configuration.md. */
export interface ModelsSettings {
  readonly DATA_DIR: string
  readonly BG_MODEL_PATH: string | undefined
  readonly BG_MODEL_SHA256: string | undefined
  readonly BG_MODEL_PRESET: MaskModel['preset']
  readonly BG_MODEL_SIZE: MaskModel['size']
  readonly BG_MODEL_MEAN: MaskModel['mean']
  readonly BG_MODEL_STD: MaskModel['std']
  readonly BG_MODEL_ACTIVATION: MaskModel['activation']
  readonly SR_MODEL_PATH: string | undefined
  readonly SR_MODEL_SHA256: string | undefined
  readonly MODEL_MEMORY_MB: number | undefined
  readonly MODEL_THREADS: number
  readonly MODEL_TIMEOUT_S: number
}

/** The models on the disk, with the parameters for a renderer and the permissions that it needs. */
export interface FoundModels {
  readonly background?: { readonly sha256: string; readonly model: MaskModel }
  readonly superResolution?: { readonly sha256: string; readonly model: ModelFile }
  readonly grants?: ModelGrants
}

/** Mebibytes of the renderer of models, where neither a setting nor a model says otherwise. */
export const MODEL_MEMORY = 4_096

/**
 * Finds the models that are configured, or that `pixelmill models add` has put into the data folder.
 * @throws StartError if one is missing, or has the wrong hash, or if their runtime is not installed
 */
export async function findModels(settings: ModelsSettings): Promise<FoundModels> {
  const { SR_MODEL_PATH: enlarging, MODEL_THREADS: threads, DATA_DIR: dataDir } = settings
  const choice = chosenBackground(settings)
  if (choice === undefined && enlarging === undefined) return {}
  const background = choice && (await findModel(choice))
  const larger = enlarging === undefined ? undefined : await findModel(ofSetting('SR_MODEL', enlarging, settings.SR_MODEL_SHA256))
  const packages = installedRuntime(dataDir)
  const [runtime] = packages
  const grants = {
    files: [...(background?.files ?? []), ...(larger?.files ?? [])],
    runtime: packages,
    memoryMegabytes: settings.MODEL_MEMORY_MB ?? choice?.memoryMegabytes ?? MODEL_MEMORY,
    timeoutSeconds: settings.MODEL_TIMEOUT_S,
    threads,
  }
  return {
    ...(choice &&
      background && {
        background: { sha256: background.sha256, model: { ...choice.model, path: background.path, runtime, threads } },
      }),
    ...(larger && { superResolution: { sha256: larger.sha256, model: { path: larger.path, runtime, threads } } }),
    grants,
  }
}

/** The model that is to remove backgrounds. */
interface ChosenModel extends NamedFile {
  readonly model: Omit<MaskModel, 'path' | 'runtime' | 'threads'>
  readonly memoryMegabytes?: number
}

/** That of the settings; else the one that a command has installed. */
function chosenBackground(settings: ModelsSettings): ChosenModel | undefined {
  const { BG_MODEL_PATH: path, BG_MODEL_SHA256: sha256, BG_MODEL_PRESET: preset, DATA_DIR: dataDir } = settings
  // If the path is a symbolic link, the preset is determined by the link's name.
  if (path !== undefined)
    return { ...ofSetting('BG_MODEL', path, sha256), model: maskModel(settings, preset ?? presetOfFile(basename(path))) }
  const { background: name, models } = readInstalledModels(dataDir)
  const installedModel: InstalledModel | undefined = name === undefined ? undefined : models[name]
  if (name === undefined || installedModel === undefined) return undefined
  return {
    path: modelPath(dataDir, name),
    sha256: installedModel.sha256,
    whose: 'The list of `pixelmill models`',
    otherHash: 'which is not that of the list: add the model again.',
    model: maskModel(settings, preset ?? installedModel.preset),
    memoryMegabytes: installedModel.memoryMegabytes,
  }
}

const maskModel = (settings: ModelsSettings, preset: MaskModel['preset']): ChosenModel['model'] => ({
  preset,
  size: settings.BG_MODEL_SIZE,
  mean: settings.BG_MODEL_MEAN,
  std: settings.BG_MODEL_STD,
  activation: settings.BG_MODEL_ACTIVATION,
})

/** @throws StartError */
function installedRuntime(dataDir: string): RuntimePackages {
  const packages = runtimePackages(resolve(runtimeFolder(dataDir)))
  if (packages) return packages
  throw new StartError(
    'Models need a runtime that is not installed: run `npm ci --prefix onnx` in the folder of the program, or `pixelmill models add` again.',
  )
}

/** A model on the disk, as found when the server started. */
interface FoundModel {
  /** With symbolic links resolved, as the sandbox does not follow them. */
  readonly path: string
  readonly sha256: string
  /** The model, and files whose names begin with its name: large models store their weights there. */
  readonly files: readonly string[]
}

/** A file that a setting or a list names. */
interface NamedFile {
  readonly path: string
  /** Undefined: any. */
  readonly sha256: string | undefined
  /** Begins the sentences about it: what names the file. */
  readonly whose: string
  /** Ends the sentence about another hash. */
  readonly otherHash: string
}

const ofSetting = (setting: 'BG_MODEL' | 'SR_MODEL', path: string, sha256: string | undefined): NamedFile => ({
  path,
  sha256,
  whose: `${setting}_PATH`,
  otherHash: `which is not ${setting}_SHA256: fetch it again, or set what it is.`,
})

/** @throws StartError if it does not exist, cannot be read, or does not have the hash that it must have */
async function findModel({ path: namedPath, sha256: expectedHash, whose, otherHash }: NamedFile): Promise<FoundModel> {
  const path = await realpath(namedPath).catch(() => {
    throw new StartError(`${whose} names ${namedPath}, which does not exist.`)
  })
  if (!(await stat(path)).isFile()) throw new StartError(`${whose} names ${namedPath}, which is not a file.`)
  const sha256 = await hashOf(path).catch((error: unknown) => {
    throw new StartError(`${whose} names ${namedPath}, which cannot be read: ${error instanceof Error ? error.message : error}.`)
  })
  if (expectedHash !== undefined && sha256 !== expectedHash)
    throw new StartError(`${whose} names a file with the SHA-256 ${sha256}, ${otherHash}`)
  const folder = dirname(path)
  // A folder's permissions may allow reading files but not listing them.
  const names = await readdir(folder).catch(() => [basename(path)])
  return { path, sha256, files: names.filter((name) => name.startsWith(basename(path))).map((name) => join(folder, name)) }
}

/** SHA-256 of a file, in hexadecimal digits. In constant memory: models can have several gigabytes. */
export async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
