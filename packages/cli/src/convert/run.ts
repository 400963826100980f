import { createHash } from 'node:crypto'
import { lstatSync, type Stats, statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { ImageFailure, imageError, systemCode } from '../failure.ts'
import type { SourceFile, SourceVersion } from '../files/source.ts'
import type { Owner } from '../files/target.ts'
import { type Claims, identityOf, isTaken, keep, type NamedImage, noClaims, reserveNames } from './claims.ts'
import type { Conversion, Outcome } from './conversion.ts'
import type { JournalEntry } from './journal.ts'
import { isSame, knownResults, sameContent } from './known-results.ts'

/** Images in flight for each renderer: while one is rendered, others are read and written. */
const IN_FLIGHT = 2

/** What a run has seen. */
export interface Overview {
  /** All images that were listed, by their identities. */
  readonly origins: ReadonlySet<string>
  /** Whether all folders could be read: what was not listed is gone. */
  readonly isWhole: boolean
}

/**
 * Converts every image of the sources whose results are not there already.
 * @param report called with each outcome, in the order in which they end
 * @throws RunFailure; the signal's reason. Images in flight have ended by then.
 */
export async function runConversion(
  conversion: Conversion,
  report: (outcome: Outcome) => void,
  signal: AbortSignal,
): Promise<Overview> {
  const stop = new AbortController()
  const until = AbortSignal.any([signal, stop.signal])
  const claims = noClaims()
  const listing = conversion.sources.list()
  const origins = new Set<string>()
  let isWhole = true

  async function work(): Promise<void> {
    for (;;) {
      until.throwIfAborted()
      const { value: next, done } = await listing.next()
      if (done) return
      if ('failure' in next) {
        isWhole = false
        report(failureOf(next.name, next.failure, 0, 0))
      } else {
        origins.add(identityOf(next))
        report(await convertOne(conversion, next, claims, until))
      }
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
  return { origins, isWhole }
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
    const results = await names.of(await engine.render(content, signal), sha256)
    await writeResults(conversion, source, { version, content, sha256, results })
    return {
      source: source.name,
      status: 'done',
      targets: results.map(({ path }) => target.nameOf(path)),
      results: results.map(({ path, image: { width, height } }) => ({ path, width, height })),
      inputBytes,
      outputBytes: results.reduce((sum, { image }) => sum + image.bytes.length, 0),
      ms: ms(),
      ...(results.some(({ image }) => image.keptSource) && { keptSource: true }),
    }
  } catch (error) {
    return failureOf(source.name, error, inputBytes, ms())
  }
}

interface Written {
  /** The version of the source, before it was read. */
  readonly version: SourceVersion
  readonly content: Buffer
  readonly sha256: Buffer
  readonly results: readonly NamedImage[]
}

async function writeResults(
  { work, journal, target, inPlace, keepsTimes = false }: Conversion,
  source: SourceFile,
  { version, content, sha256, results }: Written,
): Promise<void> {
  if (inPlace && !isSame(source.version(), version)) throw new ImageFailure('unreadable', 'it was changed meanwhile')
  const status = source.location === undefined ? undefined : statSync(source.location, { throwIfNoEntry: false })
  const facts = { owner: inPlace ? ownerOf(status) : undefined, changedMs: keepsTimes ? status?.mtimeMs : undefined }
  const origin = {
    source: source.path,
    sourceVersion: version,
    sha256,
    recipe: work.version,
    origin: identityOf(source),
    results: results.length,
  }
  for (const [nth, { path, image }] of results.entries()) {
    const { bytes, type, width, height } = image
    const resultSha256 = inPlace ? createHash('sha256').update(bytes).digest() : undefined
    const entry = { ...origin, nth, result: path, width, height, ...(resultSha256 && { resultSha256 }) }
    // What is in its place already keeps its time, and its other blocks of the disk.
    if (inPlace && path === source.path && bytes.equals(content)) journal.write({ ...entry, resultVersion: version })
    else await target.write(path, bytes, type, (resultVersion) => journal.write({ ...entry, resultVersion }), facts)
  }
  const paths = results.map(({ path }) => path)
  journal.settle(origin, paths)
  if (inPlace) await removeReplaced(source, paths)
}

/** What a file that replaces another keeps of it; undefined for what is gone. */
function ownerOf(stats: Stats | undefined): Owner | undefined {
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
    results: entries.map(({ result, width = 0, height = 0 }) => ({ path: result, width, height })),
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
  return { source, status: 'failed', targets: [], results: [], inputBytes, outputBytes: 0, ms, error }
}
