import { createHash } from 'node:crypto'
import { lstatSync, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import type { RenderedImage } from '../engine/engine.ts'
import { ImageFailure, imageError, systemCode } from '../failure.ts'
import type { SourceFile, SourceVersion } from '../files/source.ts'
import type { Owner } from '../files/target.ts'
import { type Claims, isTaken, keep, noClaims, reserveNames } from './claims.ts'
import type { Conversion, Outcome } from './conversion.ts'
import type { JournalEntry } from './journal.ts'
import { isSame, knownResults, sameContent } from './known-results.ts'

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
  const claims = noClaims()
  const listing = conversion.sources.list()

  async function work(): Promise<void> {
    for (;;) {
      until.throwIfAborted()
      const { value: next, done } = await listing.next()
      if (done) return
      if ('failure' in next) report(failureOf(next.name, next.failure, 0, 0))
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

async function convertOne(conversion: Conversion, source: SourceFile, claims: Claims, signal: AbortSignal): Promise<Outcome> {
  const { journal, target, engine } = conversion
  const began = performance.now()
  const ms = () => Math.round(performance.now() - began)
  let inputBytes = 0
  try {
    const version = source.version()
    inputBytes = version.bytes
    const earlierResults = knownResults(conversion, source, version)
    if (earlierResults.length > 0 && isCurrent(earlierResults, version))
      return await keepUnchanged(conversion, source, earlierResults, claims)
    if (conversion.inPlace) refuseLinked(source)
    using names = reserveNames(conversion, source, claims)
    const content = await source.read()
    inputBytes = content.length
    const sha256 = createHash('sha256').update(content).digest()
    if (earlierResults[0]?.sha256.equals(sha256)) {
      journal.touch(source.path, version, sha256)
      return await keepUnchanged(conversion, source, earlierResults, claims)
    }
    const same = sameContent(conversion, source, sha256)
    if (same.length > 0) return await keepUnchanged(conversion, source, same, claims)
    const images = await engine.render(content, signal)
    const paths = await names.of(images, sha256)
    await writeResults(conversion, source, { version, sha256, images, paths })
    const outputBytes = images.reduce((sum, { bytes }) => sum + bytes.length, 0)
    return { source: source.name, status: 'done', targets: paths.map(target.nameOf), inputBytes, outputBytes, ms: ms() }
  } catch (error) {
    return failureOf(source.name, error, inputBytes, ms())
  }
}

interface Results {
  /** The version of the source, before it was read. */
  readonly version: SourceVersion
  readonly sha256: Buffer
  readonly images: readonly RenderedImage[]
  /** In the order of the images. */
  readonly paths: readonly string[]
}

async function writeResults(
  { recipe, journal, target, inPlace }: Conversion,
  source: SourceFile,
  { version, sha256, images, paths }: Results,
): Promise<void> {
  if (inPlace && !isSame(source.version(), version)) throw new ImageFailure('unreadable', 'it was changed meanwhile')
  const owner = inPlace && source.location !== undefined ? ownerOf(source.location) : undefined
  const origin = { source: source.path, sourceVersion: version, sha256, recipe: recipe.version }
  for (const [index, { bytes, type }] of images.entries()) {
    const resultSha256 = inPlace ? createHash('sha256').update(bytes).digest() : undefined
    const entry = { ...origin, result: paths[index] ?? '', ...(resultSha256 && { resultSha256 }) }
    await target.write(entry.result, bytes, type, (resultVersion) => journal.write({ ...entry, resultVersion }), owner)
  }
  if (inPlace) await removeReplaced(source, paths)
}

/** What a file that replaces another keeps of it; undefined for what is gone. */
function ownerOf(location: string): Owner | undefined {
  const stats = statSync(location, { throwIfNoEntry: false })
  return stats && { mode: stats.mode & 0o777, user: stats.uid, group: stats.gid }
}

/**
 * A new file in the place of a link would leave the other names to the old content.
 * @throws ImageFailure
 */
function refuseLinked({ location }: SourceFile): void {
  const stats = location === undefined ? undefined : lstatSync(location, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) throw new ImageFailure('linked', 'it is a symbolic link; name the file that it leads to')
  if (stats && stats.nlink > 1) throw new ImageFailure('linked', `it is one of ${stats.nlink} hard links`)
}

const isCurrent = (entries: readonly JournalEntry[], version: SourceVersion): boolean =>
  entries.every(({ sourceVersion }) => isSame(sourceVersion, version))

async function keepUnchanged(
  { target, inPlace, name }: Conversion,
  source: SourceFile,
  entries: readonly JournalEntry[],
  claims: Claims,
): Promise<Outcome> {
  const paths = entries.map(({ result }) => result)
  for (const path of paths) {
    // In its place, a result of an earlier run is listed as a source, perhaps beside its own.
    if (isTaken(claims, path, source) && !name.hasId && !inPlace) throw new ImageFailure('target_taken', target.nameOf(path))
    keep(claims, path, source)
  }
  // A kill may have come between the result and this.
  if (inPlace) await removeReplaced(source, paths)
  return {
    source: source.name,
    status: 'unchanged',
    targets: paths.map(target.nameOf),
    ms: 0,
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

/** @throws the error if it is none of the image's */
function failureOf(source: string, cause: unknown, inputBytes: number, ms: number): Outcome {
  const error = imageError(cause)
  if (!error) throw cause
  return { source, status: 'failed', targets: [], inputBytes, outputBytes: 0, ms, error }
}
