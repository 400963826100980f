import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { codecs } from '../../codecs/index.ts'
import { resultId } from '../../recipe/canonical.ts'
import type { Engine } from '../engine/engine.ts'
import { type ImageError, ImageFailure, imageError } from '../failure.ts'
import type { ResultName } from '../files/result-name.ts'
import type { SourceFile, Sources, SourceVersion } from '../files/source.ts'
import type { Target } from '../files/target.ts'
import type { LoadedRecipe } from '../recipe.ts'
import type { Journal, JournalEntry } from './journal.ts'

/** What became of one image. */
export interface Outcome {
  readonly source: string
  readonly status: 'done' | 'unchanged' | 'failed'
  /** Of its results, as users know them. */
  readonly targets: readonly string[]
  readonly inputBytes: number
  readonly outputBytes: number
  readonly ms: number
  readonly error?: ImageError
}

export interface Conversion {
  readonly sources: Sources
  readonly target: Target
  readonly journal: Journal
  readonly engine: Engine
  readonly recipe: LoadedRecipe
  readonly name: ResultName
  /** Whether files that Pixelmill has not written are replaced. */
  readonly overwrite: boolean
  /** Whether results replace their sources, which are in the target's folder. */
  readonly inPlace: boolean
}

/** Images in flight for each renderer: while one is rendered, others are read and written. */
const IN_FLIGHT = 2

/**
 * Converts every image of the sources whose results are not there already.
 * @param report called with each outcome, in the order in which they end
 * @throws RunFailure; the signal's reason. Images in flight have ended by then.
 */
export async function runConversion(
  conversion: Conversion,
  report: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<void> {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const claims: Claims = new Map()
  const listed = conversion.sources.list()

  async function work(): Promise<void> {
    for (;;) {
      until.throwIfAborted()
      const { value: next, done } = await listed.next()
      if (done) return
      if ('failure' in next) report(failed(next.name, next.failure, 0, 0))
      else report(await convertOne(conversion, next, claims, until))
    }
  }
  const workers = Array.from({ length: conversion.engine.jobs * IN_FLIGHT }, () =>
    work().catch((error) => {
      // The first failure ends the others, whose reason it then is.
      stop.abort(error)
    }),
  )
  await Promise.all(workers)
  until.throwIfAborted()
}

/** The source of each result of this run. */
type Claims = Map<string, string>

async function convertOne(conversion: Conversion, source: SourceFile, claims: Claims, signal: AbortSignal): Promise<Outcome> {
  const { recipe, journal, target, engine, inPlace } = conversion
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  let inputBytes = 0
  try {
    const version = source.version()
    inputBytes = version.bytes
    const known = knownResults(conversion, source, version)
    if (known.length > 0 && isCurrent(known, version)) return await unchanged(conversion, source, known, claims)
    // Before anything is awaited, so that of two images with one target always the same one gets it.
    const early = fixedExtensions(conversion)
    const claimed = early && claim(conversion, source, early, '', claims)
    const content = await source.read()
    const hash = createHash('sha256').update(content).digest()
    if (known[0]?.sha256.equals(hash)) {
      journal.touch(source.path, version)
      return await unchanged(conversion, source, known, claims)
    }
    const images = await engine.render(content, signal)
    const extensions = images.map(({ codec }) => codec.extension)
    const paths = claimed ?? claim(conversion, source, extensions, hash.toString('hex'), claims)
    const mode = inPlace && source.location !== undefined ? statSync(source.location).mode & 0o777 : undefined
    for (const [index, { bytes, codec }] of images.entries()) {
      const entry = {
        source: source.path,
        sourceVersion: version,
        sha256: hash,
        recipe: recipe.version,
        result: paths[index] ?? '',
      }
      await target.write(entry.result, bytes, codec.mime, (resultVersion) => journal.write({ ...entry, resultVersion }), mode)
    }
    if (inPlace) await removeReplaced(source, paths)
    const outputBytes = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return { source: source.name, status: 'done', targets: paths.map(target.nameOf), inputBytes, outputBytes, ms: ms() }
  } catch (error) {
    return failed(source.name, error, inputBytes, ms())
  }
}

/** The results of this recipe, if they still are as they were written; otherwise none. */
function knownResults(
  { journal, recipe, target, inPlace }: Conversion,
  { path }: SourceFile,
  version: SourceVersion,
): readonly JournalEntry[] {
  const own = inPlace ? journal.entryOf(path) : undefined
  // In its place, the result is what is found as the source.
  if (own?.recipe === recipe.version && isSame(own.resultVersion, version)) return [{ ...own, sourceVersion: version }]
  const entries = journal.resultsOf(path, recipe.version)
  // A bucket is not asked for each of them.
  const isThere = ({ result, resultVersion }: JournalEntry) =>
    resultVersion.tag === '' || isSame(target.holds(result), resultVersion)
  return entries.length === recipe.recipe.outputs.length && entries.every(isThere) ? entries : []
}

const isSame = (one: SourceVersion | undefined, other: SourceVersion): boolean =>
  one?.bytes === other.bytes && one.tag === other.tag

const isCurrent = (entries: readonly JournalEntry[], version: SourceVersion): boolean =>
  entries.every(({ sourceVersion }) => isSame(sourceVersion, version))

async function unchanged(
  { target, inPlace }: Conversion,
  source: SourceFile,
  entries: readonly JournalEntry[],
  claims: Claims,
): Promise<Outcome> {
  const paths = entries.map(({ result }) => result)
  for (const path of paths) claims.set(path, source.path)
  // A kill may have come between the result and this.
  if (inPlace) await removeReplaced(source, paths)
  return {
    ...{ source: source.name, status: 'unchanged', targets: paths.map(target.nameOf), ms: 0 },
    inputBytes: entries[0]?.sourceVersion.bytes ?? 0,
    outputBytes: entries.reduce((sum, { resultVersion }) => sum + resultVersion.bytes, 0),
  }
}

/** Removes a source whose result has another extension and is safe. */
async function removeReplaced({ path, location }: SourceFile, results: readonly string[]): Promise<void> {
  if (location !== undefined && !results.includes(path)) await rm(location)
}

/** The extensions of the results, if they do not depend on the source and the results' names do not either. */
function fixedExtensions({ recipe, name }: Conversion): readonly string[] | undefined {
  const formats = recipe.recipe.outputs.map(({ format }) => format)
  const known = formats.filter((format) => format !== 'same' && format !== 'auto' && format !== 'best')
  return name.hasId || known.length < formats.length ? undefined : known.map((format) => codecs[format].extension)
}

/** The paths of the results. @throws ImageFailure if one belongs to another image, or to a file that is not ours */
function claim(
  { name, recipe, target, journal, overwrite }: Conversion,
  source: SourceFile,
  extensions: readonly string[],
  sha256: string,
  claims: Claims,
): readonly string[] {
  const { outputs } = recipe.recipe
  const paths = extensions.map((extension, index) =>
    name.of({
      path: source.path,
      output: outputs[index]?.name ?? '',
      several: outputs.length > 1,
      extension,
      id: sha256 && resultId(sha256, recipe.hashes, recipe.recipe, index),
    }),
  )
  for (const [index, path] of paths.entries()) {
    const other = claims.get(path) ?? source.path
    // The same content has the same id, and the same result.
    if ((other !== source.path && !name.hasId) || paths.indexOf(path) !== index)
      throw new ImageFailure('target_taken', target.nameOf(path))
    const isOurs = overwrite || target.nameOf(path) === source.location || journal.entryOf(path) !== undefined
    if (!isOurs && target.holds(path)) throw new ImageFailure('target_exists', target.nameOf(path))
  }
  for (const path of paths) claims.set(path, source.path)
  return paths
}

/** @throws the error if it is none of the image's */
function failed(source: string, thrown: unknown, inputBytes: number, ms: number): Outcome {
  const error = imageError(thrown)
  if (!error) throw thrown
  return { source, status: 'failed', targets: [], inputBytes, outputBytes: 0, ms, error }
}
