import type { SourceFile, SourceVersion } from '../files/source.ts'
import type { Conversion } from './conversion.ts'
import type { JournalEntry } from './journal.ts'

/** The results of this recipe, if they still are as they were written; otherwise none. */
export function knownResults(
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
export function sameContent(conversion: Conversion, source: SourceFile, sha256: Buffer): readonly JournalEntry[] {
  const { journal, recipe, name, inPlace } = conversion
  const own = inPlace ? journal.entryOf(source.path) : undefined
  if (own?.recipe === recipe.version && own.resultSha256?.equals(sha256)) {
    const entry = { ...own, resultVersion: source.version() }
    journal.write(entry)
    return [entry]
  }
  return name.hasId ? complete(conversion, journal.resultsOfContent(sha256, recipe.version)) : []
}

export const isSame = (one: SourceVersion | undefined, other: SourceVersion): boolean =>
  one?.bytes === other.bytes && one.tag === other.tag
