import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import type { ModelGrants } from '@pixelmill/engine/rendering/sandbox/renderers'
import { presetOfFile } from '@pixelmill/vision/inference/mask-presets'
import type { MaskModel } from '@pixelmill/vision/inference/predict-mask'
import type { ModelFile } from '@pixelmill/vision/inference/session'

/** The settings of models; see docs/configuration.md. */
export interface ModelsSettings {
  readonly BG_MODEL_PATH: string | undefined
  readonly BG_MODEL_SHA256: string | undefined
  readonly BG_MODEL_PRESET: MaskModel['preset']
  readonly BG_MODEL_SIZE: MaskModel['size']
  readonly BG_MODEL_MEAN: MaskModel['mean']
  readonly BG_MODEL_STD: MaskModel['std']
  readonly BG_MODEL_ACTIVATION: MaskModel['activation']
  readonly SR_MODEL_PATH: string | undefined
  readonly SR_MODEL_SHA256: string | undefined
  readonly MODEL_MEMORY_MB: number
  readonly MODEL_THREADS: number
  readonly MODEL_TIMEOUT_S: number
}

/** The models on the disk, with the parameters for a renderer and the permissions that it needs. */
export interface FoundModels {
  readonly background?: { readonly sha256: string; readonly model: MaskModel }
  readonly superResolution?: { readonly sha256: string; readonly model: ModelFile }
  readonly grants?: ModelGrants
}

/** Finds the models that are configured. @throws StartError if one is missing, or has the wrong hash */
export async function findModels(settings: ModelsSettings): Promise<FoundModels> {
  const { BG_MODEL_PATH: cutting, SR_MODEL_PATH: enlarging, MODEL_THREADS: threads } = settings
  if (cutting === undefined && enlarging === undefined) return {}
  const background = cutting === undefined ? undefined : await findModel('BG_MODEL', cutting, settings.BG_MODEL_SHA256)
  const larger = enlarging === undefined ? undefined : await findModel('SR_MODEL', enlarging, settings.SR_MODEL_SHA256)
  const grants = {
    files: [...(background?.files ?? []), ...(larger?.files ?? [])],
    memoryMegabytes: settings.MODEL_MEMORY_MB,
    timeoutSeconds: settings.MODEL_TIMEOUT_S,
    threads,
  }
  return {
    ...(background && {
      background: { sha256: background.sha256, model: { ...maskModel(settings), path: background.path, threads } },
    }),
    ...(larger && { superResolution: { sha256: larger.sha256, model: { path: larger.path, threads } } }),
    grants,
  }
}

/** If the path is a symbolic link, the preset is determined by the link's name. */
const maskModel = (settings: ModelsSettings): Omit<MaskModel, 'path' | 'threads'> => ({
  preset: settings.BG_MODEL_PRESET ?? presetOfFile(basename(settings.BG_MODEL_PATH ?? '')),
  size: settings.BG_MODEL_SIZE,
  mean: settings.BG_MODEL_MEAN,
  std: settings.BG_MODEL_STD,
  activation: settings.BG_MODEL_ACTIVATION,
})

/** A model on the disk, as found when the server started. */
interface FoundModel {
  /** With symbolic links resolved, as the sandbox does not follow them. */
  readonly path: string
  readonly sha256: string
  /** The model, and files whose names begin with its name: large models store their weights there. */
  readonly files: readonly string[]
}

/**
 * Finds the file of a setting.
 * @param setting prefix of the settings' names
 * @throws StartError if it does not exist, cannot be read, or does not have the configured hash
 */
async function findModel(
  setting: 'BG_MODEL' | 'SR_MODEL',
  namedPath: string,
  expectedHash: string | undefined,
): Promise<FoundModel> {
  const path = await realpath(namedPath).catch(() => {
    throw new StartError(`${setting}_PATH names ${namedPath}, which does not exist.`)
  })
  if (!(await stat(path)).isFile()) throw new StartError(`${setting}_PATH names ${namedPath}, which is not a file.`)
  const sha256 = await hashOf(path).catch((error: unknown) => {
    throw new StartError(
      `${setting}_PATH names ${namedPath}, which cannot be read: ${error instanceof Error ? error.message : error}.`,
    )
  })
  if (expectedHash !== undefined && sha256 !== expectedHash)
    throw new StartError(
      `${setting}_PATH names a file with the SHA-256 ${sha256}, which is not ${setting}_SHA256: fetch it again, or set what it is.`,
    )
  const folder = dirname(path)
  // A folder's permissions may allow reading files but not listing them.
  const names = await readdir(folder).catch(() => [basename(path)])
  return { path, sha256, files: names.filter((name) => name.startsWith(basename(path))).map((name) => join(folder, name)) }
}

/** In constant memory: models can have several gigabytes. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
