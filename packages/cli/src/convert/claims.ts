import { resolve } from 'node:path'
import { codecs } from '@pixelmill/codecs'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import type { RenderedImage } from '../engine/engine.ts'
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

/** The names of one image's results. To be disposed of when they are written, or will not be. */
export interface ReservedNames extends Disposable {
  /** @throws ImageFailure if one belongs to another image, or to a file that is not ours */
  of(images: readonly RenderedImage[], sha256: Buffer): Promise<readonly string[]>
}

/**
 * Reserves the names of an image's results before it is read: of two images with one name, always the one that is listed first gets it.
 * Where the names depend on the result's format, the images that may have the same wait for each other.
 * @throws ImageFailure
 */
export function reserveNames(conversion: Conversion, source: SourceFile, claims: Claims): ReservedNames {
  const extensions = fixedExtensions(conversion)
  const names = extensions && claim(conversion, source, extensions, '', claims)
  const turn = names || conversion.name.hasId ? undefined : takeTurn(claims, pathsOf(conversion, source, [''], '')[0] ?? '')
  return {
    async of(images, sha256) {
      await turn?.before
      const madeExtensions = images.map(({ extension }) => extension)
      return names ?? claim(conversion, source, madeExtensions, sha256.toString('hex'), claims)
    },
    [Symbol.dispose]: () => turn?.end(),
  }
}

/** The extensions of the results, if they do not depend on the source and the results' names do not either. */
function fixedExtensions({ recipe, name }: Conversion): readonly string[] | undefined {
  const formats = recipe.recipe.outputs.map(({ format }) => format)
  const knownFormats = formats.filter((format) => format !== 'same' && format !== 'auto' && format !== 'best')
  return name.hasId || knownFormats.length < formats.length ? undefined : knownFormats.map((format) => codecs[format].extension)
}

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
  for (const path of paths) keep(claims, path, source)
  return paths
}

function pathsOf(
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
