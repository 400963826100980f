import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { codecs } from '../../codecs/index.ts'
import { resultId } from '../../recipe/canonical.ts'
import type { Engine } from '../engine/engine.ts'
import { type ImageError, ImageFailure, imageError, systemCode } from '../failure.ts'
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
  const claims: Claims = { results: new Map(), turns: new Map() }
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

interface Claims {
  /** The source of each result of this run. */
  readonly results: Map<string, string>
  /** The last image whose result may have a name, without its extension, and whose format is known only when it is made. */
  readonly turns: Map<string, Promise<void>>
}

/** Tells sources apart: two that were named may have images of the same path. */
const identityOf = ({ name, location }: SourceFile): string => (location === undefined ? name : resolve(location))

/** Lets images that may have the same name claim it in the order of the listing. */
function takeTurn({ turns }: Claims, name: string): { readonly before: Promise<void> | undefined; end(): void } {
  const before = turns.get(name)
  const { promise, resolve: end } = Promise.withResolvers<void>()
  turns.set(name, promise)
  return {
    before,
    end() {
      if (turns.get(name) === promise) turns.delete(name)
      end()
    },
  }
}

async function convertOne(conversion: Conversion, source: SourceFile, claims: Claims, signal: AbortSignal): Promise<Outcome> {
  const { recipe, journal, target, engine, name, inPlace } = conversion
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  let inputBytes = 0
  let turn: ReturnType<typeof takeTurn> | undefined
  try {
    const version = source.version()
    inputBytes = version.bytes
    const known = knownResults(conversion, source, version)
    if (known.length > 0 && isCurrent(known, version)) return await unchanged(conversion, source, known, claims)
    // Before anything is awaited, so that of two images with one target always the same one gets it.
    const early = fixedExtensions(conversion)
    const claimed = early && claim(conversion, source, early, '', claims)
    turn = early || name.hasId ? undefined : takeTurn(claims, pathsOf(conversion, source, [''], '')[0] ?? '')
    const content = await source.read()
    inputBytes = content.length
    const hash = createHash('sha256').update(content).digest()
    if (known[0]?.sha256.equals(hash)) {
      journal.touch(source.path, version, hash)
      return await unchanged(conversion, source, known, claims)
    }
    const same = sameContent(conversion, source, hash)
    if (same.length > 0) return await unchanged(conversion, source, same, claims)
    const images = await engine.render(content, signal)
    const extensions = images.map(({ codec }) => codec.extension)
    await turn?.before
    const paths = claimed ?? claim(conversion, source, extensions, hash.toString('hex'), claims)
    if (inPlace && !isSame(source.version(), version)) throw new ImageFailure('unreadable', 'it was changed meanwhile')
    const mode = inPlace && source.location !== undefined ? modeOf(source.location) : undefined
    for (const [index, { bytes, codec }] of images.entries()) {
      const entry = {
        source: source.path,
        sourceVersion: version,
        sha256: hash,
        recipe: recipe.version,
        result: paths[index] ?? '',
        ...(inPlace && { resultSha256: createHash('sha256').update(bytes).digest() }),
      }
      await target.write(entry.result, bytes, codec.mime, (resultVersion) => journal.write({ ...entry, resultVersion }), mode)
    }
    if (inPlace) await removeReplaced(source, paths)
    const outputBytes = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return { source: source.name, status: 'done', targets: paths.map(target.nameOf), inputBytes, outputBytes, ms: ms() }
  } catch (error) {
    return failed(source.name, error, inputBytes, ms())
  } finally {
    turn?.end()
  }
}

const modeOf = (location: string): number | undefined => {
  const found = statSync(location, { throwIfNoEntry: false })
  return found && found.mode & 0o777
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
  return complete({ recipe, target }, journal.resultsOf(path, recipe.version))
}

/** The entries, if each output has one, and its result still is as it was written. */
function complete({ recipe, target }: Pick<Conversion, 'recipe' | 'target'>, entries: readonly JournalEntry[]) {
  // A bucket is not asked for each of them.
  const isThere = ({ result, resultVersion }: JournalEntry) =>
    resultVersion.tag === '' || isSame(target.holds(result), resultVersion)
  return entries.length === recipe.recipe.outputs.length && entries.every(isThere) ? entries : []
}

/** Results that are known by the content alone: in its place, the result of an earlier run; by names of the content, that of another image. */
function sameContent(conversion: Conversion, source: SourceFile, sha256: Buffer): readonly JournalEntry[] {
  const { journal, recipe, name, inPlace } = conversion
  const own = inPlace ? journal.entryOf(source.path) : undefined
  if (own?.recipe === recipe.version && own.resultSha256?.equals(sha256)) {
    const entry = { ...own, resultVersion: source.version() }
    journal.write(entry)
    return [entry]
  }
  return name.hasId ? complete(conversion, journal.resultsOfContent(sha256, recipe.version)) : []
}

const isSame = (one: SourceVersion | undefined, other: SourceVersion): boolean =>
  one?.bytes === other.bytes && one.tag === other.tag

const isCurrent = (entries: readonly JournalEntry[], version: SourceVersion): boolean =>
  entries.every(({ sourceVersion }) => isSame(sourceVersion, version))

async function unchanged(
  { target, inPlace, name }: Conversion,
  source: SourceFile,
  entries: readonly JournalEntry[],
  claims: Claims,
): Promise<Outcome> {
  const paths = entries.map(({ result }) => result)
  for (const path of paths) {
    // In its place, a result of an earlier run is listed as a source, perhaps beside its own.
    if (isTaken(claims, path, source) && !name.hasId && !inPlace) throw new ImageFailure('target_taken', target.nameOf(path))
    claims.results.set(path, identityOf(source))
  }
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
  if (location === undefined || results.includes(path)) return
  await rm(location, { force: true }).catch((error) => {
    throw new ImageFailure('unwritable', `${location} cannot be removed (${systemCode(error)})`, { cause: error })
  })
}

/** The extensions of the results, if they do not depend on the source and the results' names do not either. */
function fixedExtensions({ recipe, name }: Conversion): readonly string[] | undefined {
  const formats = recipe.recipe.outputs.map(({ format }) => format)
  const known = formats.filter((format) => format !== 'same' && format !== 'auto' && format !== 'best')
  return name.hasId || known.length < formats.length ? undefined : known.map((format) => codecs[format].extension)
}

/** The paths of the results. @throws ImageFailure if one belongs to another image, or to a file that is not ours */
function claim(
  conversion: Conversion,
  source: SourceFile,
  extensions: readonly string[],
  sha256: string,
  claims: Claims,
): readonly string[] {
  const { name, target } = conversion
  const paths = pathsOf(conversion, source, extensions, sha256)
  for (const [index, path] of paths.entries()) {
    // The same content has the same id, and the same result.
    if ((isTaken(claims, path, source) && !name.hasId) || paths.indexOf(path) !== index)
      throw new ImageFailure('target_taken', target.nameOf(path))
    if (!isOurs(conversion, source, path) && target.holds(path)) throw new ImageFailure('target_exists', target.nameOf(path))
  }
  for (const path of paths) claims.results.set(path, identityOf(source))
  return paths
}

function pathsOf({ name, recipe }: Conversion, source: SourceFile, extensions: readonly string[], sha256: string): readonly string[] {
  const { outputs } = recipe.recipe
  return extensions.map((extension, index) =>
    name.of({
      path: source.path,
      output: outputs[index]?.name ?? '',
      several: outputs.length > 1,
      extension,
      id: sha256 && resultId(sha256, recipe.hashes, recipe.recipe, index),
    }),
  )
}

const isTaken = ({ results }: Claims, path: string, source: SourceFile): boolean => {
  const other = results.get(path)
  return other !== undefined && other !== identityOf(source)
}

/** Whether a result may replace what has its name. */
function isOurs({ journal, overwrite, inPlace }: Conversion, source: SourceFile, path: string): boolean {
  // In their places, results are all that is left of other images.
  return overwrite || (inPlace ? path === source.path : journal.entryOf(path) !== undefined)
}

/** @throws the error if it is none of the image's */
function failed(source: string, thrown: unknown, inputBytes: number, ms: number): Outcome {
  const error = imageError(thrown)
  if (!error) throw thrown
  return { source, status: 'failed', targets: [], inputBytes, outputBytes: 0, ms, error }
}
