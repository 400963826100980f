import { resolve } from 'node:path'
import { resultId } from '../../recipe/canonical.ts'
import { ImageFailure } from '../failure.ts'
import type { SourceFile } from '../files/source.ts'
import type { Conversion } from './conversion.ts'

/** Which image of a run has which result. */
export interface Claims {
  /** The source of each result of this run. */
  readonly results: Map<string, string>
  /** The last image whose result may have a name, without its extension, and whose format is known only when it is made. */
  readonly turns: Map<string, Promise<void>>
}

/** Tells sources apart: two that were named may have images of the same path. */
const identityOf = ({ name, location }: SourceFile): string => (location === undefined ? name : resolve(location))

export const noClaims = (): Claims => ({ results: new Map(), turns: new Map() })

/** Lets images that may have the same name claim it in the order of the listing. */
export function takeTurn({ turns }: Claims, name: string): { readonly before: Promise<void> | undefined; end(): void } {
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

/** The paths of the results. @throws ImageFailure if one belongs to another image, or to a file that is not ours */
export function claim(
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
  for (const path of paths) keep(claims, path, source)
  return paths
}

export function pathsOf(
  { name, recipe }: Conversion,
  source: SourceFile,
  extensions: readonly string[],
  sha256: string,
): readonly string[] {
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

export const isTaken = ({ results }: Claims, path: string, source: SourceFile): boolean => {
  const other = results.get(path)
  return other !== undefined && other !== identityOf(source)
}

/** Whether a result may replace what has its name. */
function isOurs({ journal, overwrite, inPlace }: Conversion, source: SourceFile, path: string): boolean {
  // In their places, results are all that is left of other images.
  return overwrite || (inPlace ? path === source.path : journal.entryOf(path) !== undefined)
}

export const keep = ({ results }: Claims, path: string, source: SourceFile): void => void results.set(path, identityOf(source))
