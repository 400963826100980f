import { rm } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import { readModelsEnvironment } from '../environment.ts'
import { EXIT } from '../exit.ts'
import { modelPath, readInstalledModels, runtimeFolder, writeInstalledModels } from './installed-models.ts'

/**
 * `pixelmill models remove`: removes a model from the data folder, and with the last one the runtime that is there.
 * @returns the exit code
 * @throws InvalidArgumentError, StartError
 */
export async function removeModel(name: string): Promise<number> {
  const { DATA_DIR: dataDir, SR_MODEL_PATH: enlarging } = readModelsEnvironment()
  const { background, models } = readInstalledModels(dataDir)
  const names = Object.keys(models)
  if (!Object.hasOwn(models, name)) {
    const list = names.length === 0 ? 'none is' : `there are ${names.join(', ')}`
    throw new InvalidArgumentError(`${name} is not installed in ${dataDir}: ${list}.`)
  }
  const { [name]: _, ...others } = models
  const otherNames = Object.keys(others)
  // The list first: a file that it does not name does no harm.
  writeInstalledModels(dataDir, { ...(background !== name && { background }), models: others })
  await rm(modelPath(dataDir, name), { force: true })
  if (otherNames.length === 0 && enlarging === undefined) await rm(runtimeFolder(dataDir), { recursive: true, force: true })
  console.error(`${name} was removed.`)
  if (background === name && otherNames.length > 0)
    console.error(`No model removes backgrounds now: \`pixelmill models add ${otherNames[0]}\` takes one that is installed.`)
  return EXIT.done
}
