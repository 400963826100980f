import { existsSync } from 'node:fs'
import { copyFile, rename, rm, stat } from 'node:fs/promises'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { openPixelmill } from '@pixelmill/engine/library/pixelmill'
import { trialPicture } from '@pixelmill/engine/tasks/trial-picture'
import { readModelsEnvironment } from '../environment.ts'
import { EXIT, untilInterrupted } from '../exit.ts'
import { RunFailure, systemCode } from '../failure.ts'
import { bytesText } from '../format.ts'
import { download } from '../outbound/download.ts'
import { findModels, hashOf, type ModelsSettings } from './find-models.ts'
import { installRuntime } from './install-runtime.ts'
import {
  type InstalledModel,
  makeModelsFolder,
  modelPath,
  readInstalledModels,
  writeInstalledModels,
} from './installed-models.ts'
import { type AddOptions, isAddress, type OrderedModel, orderedModel } from './ordered-model.ts'

/** No model for processors comes near it. */
const MOST_BYTES = 8e9

/**
 * `pixelmill models add`: puts a model into the data folder, with the runtime, and tries it. From then on it removes backgrounds.
 * @param place a name of the table, a URL or a file
 * @returns the exit code
 * @throws InvalidArgumentError, RunFailure, StartError
 */
export async function addModel(place: string, options: AddOptions): Promise<number> {
  const model = orderedModel(place, options)
  const settings = readModelsEnvironment()
  const { DATA_DIR: dataDir } = settings
  const before = readInstalledModels(dataDir)
  const path = modelPath(dataDir, model.name)
  using interrupt = untilInterrupted()
  const note = (text: string) => console.error(text)
  note(descriptionOf(model, path))
  try {
    makeModelsFolder(dataDir)
    const facts = (await presentFile(path, model)) ?? (await fetchFile(path, model, options, interrupt.signal))
    await installRuntime(dataDir, note, interrupt.signal)
    const { name, what: _, ...row } = model
    writeInstalledModels(dataDir, { background: name, models: { ...before.models, [name]: { ...row, ...facts } } })
    await tryModel({ ...settings, BG_MODEL_PATH: undefined }, interrupt.signal).catch(async (error: unknown) => {
      // A model that does not work replaces none that does.
      writeInstalledModels(dataDir, before)
      if (before.models[name]?.sha256 !== facts.sha256) await rm(path, { force: true })
      throw error
    })
  } catch (error) {
    if (interrupt.signal.aborted) return EXIT.interrupted
    const code = systemCode(error)
    if (['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR'].includes(code))
      throw new RunFailure(`${dataDir} cannot be written (${code}): set DATA_DIR to a folder of yours with room.`, {
        cause: error,
      })
    throw error
  }
  note(`${model.name} works, and removes backgrounds from now on; a running server uses it after its next start.`)
  if (settings.BG_MODEL_PATH !== undefined) note('BG_MODEL_PATH is set, and comes first: leave it out to use this model.')
  return EXIT.done
}

/** Cuts the subject out of a small picture by the model of these settings. @throws RunFailure, StartError; the signal's reason */
async function tryModel(settings: ModelsSettings, signal: AbortSignal): Promise<void> {
  const { background, grants } = await findModels(settings)
  if (!background || !grants) throw new Error('a model was added, and is not found')
  const backgroundModel = { model: background.model, grants }
  await using mill = await openPixelmill({ renderers: 1, timeoutSeconds: settings.MODEL_TIMEOUT_S, backgroundModel })
  try {
    // With a model that sees nothing in it, the subject is told by its colours.
    await mill.removeBackground(trialPicture(), { minConfidence: 0, signal })
  } catch (error) {
    if (!(error instanceof ImageError)) throw error
    throw new RunFailure(`The model does not work here: ${error.message} It was not kept.`, { cause: error })
  }
}

function descriptionOf({ name, what, from, bytes, sha256, licence, preset }: OrderedModel, path: string): string {
  const facts = {
    from,
    size: bytes === undefined ? undefined : bytesText(bytes),
    'SHA-256': sha256,
    licence: licence === undefined ? 'not known to us: check it' : `${licence}, as its authors say`,
    preset: preset ?? 'by the size of its input',
    into: path,
  }
  const lines = Object.entries(facts).flatMap(([key, value]) => (value === undefined ? [] : [`  ${key.padEnd(8)} ${value}`]))
  return [what === undefined ? name : `${name}: ${what}`, ...lines].join('\n')
}

type FileFacts = Pick<InstalledModel, 'sha256' | 'bytes'>

/** What is there already is not fetched again. */
async function presentFile(path: string, { sha256 }: OrderedModel): Promise<FileFacts | undefined> {
  if (sha256 === undefined || !existsSync(path) || (await hashOf(path)) !== sha256) return undefined
  return { sha256, bytes: (await stat(path)).size }
}

/** Gets the file, and gives it its name once its hash is right. @throws RunFailure; the system's error */
async function fetchFile(path: string, model: OrderedModel, options: AddOptions, signal: AbortSignal): Promise<FileFacts> {
  const temporary = `${path}.${process.pid}.incomplete`
  try {
    const facts = isAddress(model.from)
      ? await download({
          address: new URL(model.from),
          path: temporary,
          mostBytes: model.bytes ?? MOST_BYTES,
          allowsHttp: options.allowHttp === true,
          signal,
          onProgress: progressLine(),
        })
      : await copiedFile(model.from, temporary)
    const { sha256 = facts.sha256 } = model
    if (facts.sha256 !== sha256)
      throw new RunFailure(
        `${model.from} is another file: its SHA-256 is ${facts.sha256}, and ${sha256} was expected. It was not kept.`,
      )
    await rename(temporary, path)
    return facts
  } finally {
    await rm(temporary, { force: true })
  }
}

async function copiedFile(source: string, path: string): Promise<FileFacts> {
  const status = await stat(source).catch((error: unknown) => {
    throw new RunFailure(`${source} cannot be read (${systemCode(error)}).`, { cause: error })
  })
  if (!status.isFile()) throw new RunFailure(`${source} is not a file.`)
  await copyFile(source, path)
  return { sha256: await hashOf(path), bytes: status.size }
}

/** Shows how much has come, on a terminal: at most ten times a second, and at the end. */
function progressLine(): (bytes: number, totalBytes: number | undefined) => void {
  if (!process.stderr.isTTY) return () => {}
  let shownAt = 0
  return (bytes, totalBytes) => {
    const isEnd = bytes === totalBytes
    if (performance.now() - shownAt < 100 && !isEnd) return
    shownAt = performance.now()
    const share = totalBytes === undefined ? '' : ` of ${bytesText(totalBytes)}`
    process.stderr.write(`\r\x1b[K  ${bytesText(bytes)}${share}${isEnd ? '\n' : ''}`)
  }
}
