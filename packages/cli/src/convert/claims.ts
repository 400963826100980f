import { resolve } from 'node:path'
import { codecs } from '@pixelmill/codecs'
import { resultId } from '@pixelmill/engine/recipe/canonical'
import type { RenderedImage } from '../engine/engine.ts'
import { ImageFailure } from '../failure.ts'
import type { NameParts } from '../files/result-name.ts'
import type { SourceFile } from '../files/source.ts'
import type { Conversion } from './conversion.ts'

/** Which image of a run has which result. */
export interface Claims {
  /** The source of each result of this run. */
  readonly results: Map<string, string>
  /** The last image whose result may have a name, without its extension, and whose format is known only when it is made. */
  readonly turns: Map<string, Promise<void>>
}

/** Tells sources apart, in a run and in journals: two that were named may have images of the same path. */
export const identityOf = ({ name, location }: Pick<SourceFile, 'name' | 'location'>): string =>
  location === undefined ? name : resolve(location)

export const noClaims = (): Claims => ({ results: new Map(), turns: new Map() })

/** An image, and the path that it gets below the target. */
export interface NamedImage {
  readonly path: string
  readonly image: RenderedImage
}

/** The names of one image's results. To be disposed of when they are written, or will not be. */
export interface ReservedNames extends Disposable {
  /**
   * The results, of which equal ones with the same name are one: widths that a source does not have give its own.
   * @throws ImageFailure if a name belongs to another image, or to a file that is not ours
   */
  of(images: readonly RenderedImage[], sha256: Buffer): Promise<readonly NamedImage[]>
}

/**
 * Reserves the names of an image's results before it is read: of two images with one name, always the one that is listed first gets it.
 * Where the names depend on the result's format or size, the images that may have the same wait for each other.
 * @throws ImageFailure
 */
export function reserveNames(conversion: Conversion, source: SourceFile, claims: Claims): ReservedNames {
  const parts = fixedParts(conversion)
  const paths = parts && pathsOf(conversion, source, parts, '')
  if (paths) claim(conversion, source, paths, claims)
  const turn = paths || conversion.name.hasId ? undefined : takeTurn(claims, pathsOf(conversion, source, [UNKNOWN], '')[0] ?? '')
  return {
    async of(images, sha256) {
      await turn?.before
      if (paths) return images.map((image, index) => ({ image, path: paths[index] ?? '' }))
      const allPaths = pathsOf(conversion, source, images, sha256.toString('hex'))
      const results = withoutCopies(images.map((image, index) => ({ image, path: allPaths[index] ?? '' })))
      claim(
        conversion,
        source,
        results.map(({ path }) => path),
        claims,
      )
      return results
    },
    [Symbol.dispose]: () => turn?.end(),
  }
}

type MadeParts = Pick<NameParts, 'extension' | 'format' | 'width' | 'height'>

const UNKNOWN: MadeParts = { extension: '', format: '', width: undefined, height: undefined }

/** What names have of the results, if that depends neither on the source nor on what is made of it. */
function fixedParts({ work, name }: Conversion): readonly MadeParts[] | undefined {
  const formats = work.recipe.outputs.map(({ format }) => format)
  const knownFormats = formats.filter((format) => format !== 'same' && format !== 'auto' && format !== 'best')
  if (name.hasId || name.hasSize || knownFormats.length < formats.length) return undefined
  return knownFormats.map((format) => ({ ...UNKNOWN, format, extension: codecs[format].extension }))
}

function withoutCopies(results: readonly NamedImage[]): readonly NamedImage[] {
  const isCopy = ({ path, image }: NamedImage, index: number) =>
    results.slice(0, index).some((other) => other.path === path && other.image.bytes.equals(image.bytes))
  return results.filter((result, index) => !isCopy(result, index))
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

/** Takes the paths of an image's results. @throws ImageFailure if one belongs to another image, or to a file that is not ours */
function claim(conversion: Conversion, source: SourceFile, paths: readonly string[], claims: Claims): void {
  const { name, target } = conversion
  for (const [index, path] of paths.entries()) {
    // The same content has the same id, and the same result.
    if ((isTaken(claims, path, source) && !name.hasId) || paths.indexOf(path) !== index)
      throw new ImageFailure('target_taken', target.nameOf(path))
    if (!isOurs(conversion, source, path) && target.holds?.(path)) throw new ImageFailure('target_exists', target.nameOf(path))
  }
  for (const path of paths) keep(claims, path, source)
}

function pathsOf(
  { name, work }: Conversion,
  source: SourceFile,
  results: readonly MadeParts[],
  sha256: string,
): readonly string[] {
  const { outputs } = work.recipe
  return results.map(({ extension, format, width, height }, index) =>
    name.of({
      path: source.path,
      output: outputs[index]?.name ?? '',
      several: outputs.length > 1,
      extension,
      format,
      width,
      height,
      id: sha256 && resultId(sha256, work.hashes, work.recipe, index),
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
