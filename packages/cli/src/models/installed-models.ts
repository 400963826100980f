import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { maskPresetNames } from '@pixelmill/vision/inference/mask-presets'
import { z } from 'zod'
import { makeFolder } from '../files/make-folder.ts'

/** Names are those of files, and are typed. */
export const modelName = z.string().regex(/^[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9])?$/)

const installedModelSchema = z.strictObject({
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
  /** A URL, or the path of the file that was copied. */
  from: z.string(),
  /** Undefined for a model that is not in our table. */
  licence: z.string().optional(),
  /** Undefined: guessed from the size of its input. */
  preset: z.enum(maskPresetNames).optional(),
  memoryMegabytes: z.int().positive(),
})

/** A model that a command has put into the data folder. */
export type InstalledModel = z.infer<typeof installedModelSchema>

const installedModelsSchema = z.strictObject({
  /** The one that removes backgrounds. */
  background: modelName.optional(),
  models: z.record(modelName, installedModelSchema),
})

export type InstalledModels = z.infer<typeof installedModelsSchema>

/** The folder of the models, their list and their runtime, below the data folder. */
export const modelsFolder = (dataDir: string): string => join(dataDir, 'models')
export const runtimeFolder = (dataDir: string): string => join(modelsFolder(dataDir), 'runtime')
export const modelPath = (dataDir: string, name: string): string => join(modelsFolder(dataDir), `${name}.onnx`)
const listPath = (dataDir: string): string => join(modelsFolder(dataDir), 'models.json')

/** @throws StartError if the list cannot be read, or is none */
export function readInstalledModels(dataDir: string): InstalledModels {
  let text: string
  try {
    text = readFileSync(listPath(dataDir), 'utf8')
  } catch (error) {
    if (isMissing(error)) return { models: {} }
    throw new StartError(`${listPath(dataDir)} cannot be read: ${error instanceof Error ? error.message : error}.`)
  }
  try {
    return installedModelsSchema.parse(JSON.parse(text))
  } catch {
    throw new StartError(
      `${listPath(dataDir)} is no list of models: remove it, and add the models again with \`pixelmill models add\`.`,
    )
  }
}

/** Replaces the list as a whole. @throws the system's error */
export function writeInstalledModels(dataDir: string, models: InstalledModels): void {
  const temporary = `${listPath(dataDir)}.${process.pid}.incomplete`
  try {
    writeFileSync(temporary, `${JSON.stringify(models, undefined, 2)}\n`)
    renameSync(temporary, listPath(dataDir))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

/** A data folder holds secrets; renderers of any user read models. */
const DATA_FOLDER = 0o700
const MODELS_FOLDER = 0o755

/** Makes the folder of the models. @throws the system's error */
export function makeModelsFolder(dataDir: string): void {
  makeFolder(dataDir, DATA_FOLDER)
  makeFolder(modelsFolder(dataDir), MODELS_FOLDER)
}

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'
