import type { SourceFile, SourceVersion } from '../files/source.ts'
import type { Conversion } from './conversion.ts'
import type { JournalEntry } from './journal.ts'

/** The results of this work, if they still are as they were written; otherwise none. */
export function knownResults(conversion: Conversion, { path }: SourceFile, version: SourceVersion): readonly JournalEntry[] {
  const { journal, work, inPlace } = conversion
  const own = inPlace ? journal.entryOf(path) : undefined
  // In its place, the result is what is found as the source.
  if (own?.recipe === work.version && isSame(own.resultVersion, version)) return [{ ...own, sourceVersion: version }]
  return complete(conversion, journal.resultsOf(path, work.version))
}

/** The entries, if each result has one, and still is as it was written. */
function complete({ work, target, needsSizes = false }: Conversion, entries: readonly JournalEntry[]) {
  const { holds } = target
  // A bucket is not asked for each of them.
  const isThere = ({ result, resultVersion }: JournalEntry) => !holds || isSame(holds(result), resultVersion)
  const isWhole = entries.length === (entries[0]?.results ?? work.recipe.outputs.length)
  const hasSizes = !needsSizes || entries.every(({ width, height }) => width !== undefined && height !== undefined)
  return isWhole && hasSizes && entries.every(isThere) ? entries : []
}

/** Results that are known by the content alone: in its place, the result of an earlier run; by names of the content, that of another image. */
export function sameContent(conversion: Conversion, source: SourceFile, sha256: Buffer): readonly JournalEntry[] {
  const { journal, work, name, inPlace } = conversion
  const own = inPlace ? journal.entryOf(source.path) : undefined
  if (own?.recipe === work.version && own.resultSha256?.equals(sha256)) {
    const entry = { ...own, resultVersion: source.version() }
    journal.write(entry)
    return [entry]
  }
  return name.hasId ? complete(conversion, journal.resultsOfContent(sha256, work.version)) : []
}

export const isSame = (one: SourceVersion | undefined, other: SourceVersion): boolean =>
  one?.bytes === other.bytes && one.tag === other.tag
