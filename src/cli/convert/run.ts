import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { codecs } from '../../codecs/index.ts'
import { ImageFailure, imageError, systemCode } from '../failure.ts'
import type { SourceFile, SourceVersion } from '../files/source.ts'
import { type Claims, claim, isTaken, keep, noClaims, pathsOf, takeTurn } from './claims.ts'
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
    keep(claims, path, source)
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

/** @throws the error if it is none of the image's */
function failed(source: string, thrown: unknown, inputBytes: number, ms: number): Outcome {
  const error = imageError(thrown)
  if (!error) throw thrown
  return { source, status: 'failed', targets: [], inputBytes, outputBytes: 0, ms, error }
}
