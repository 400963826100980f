import { readFile } from 'node:fs/promises'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { ApiError } from '../../contract/api-error.ts'
import { requireInTime, segmentsOf } from '../address.ts'
import type { Source } from '../source.ts'
import { isImgproxySigned, type KeyPair, readImgproxyAddress, readImgproxyPath } from './address.ts'
import { DEFAULTS, withOptions } from './options.ts'
import { inOptions, recipeOf, WATERMARK_FILE } from './recipe.ts'

export interface ImgproxySettings {
  readonly pairs: readonly KeyPair[]
  /** Options by name; `default` applies to every URL. */
  readonly presets: ReadonlyMap<string, readonly string[]>
  /** Precedes the URL of an original that does not begin with it. */
  readonly baseUrl: string
  /** Of originals as local:///…. */
  readonly localRoot: string | undefined
  readonly watermarkPath: string | undefined
}

/** What a URL asks for, after its signature was checked. */
export interface ImgproxyOrder {
  readonly source: Source
  /** Decoded segments. */
  readonly path: readonly string[]
  /** Of one output. */
  readonly recipe: Recipe
  /** Seconds since 1970. */
  readonly expires: number | undefined
  /** Makes it another image than the same without it. */
  readonly buster: string | undefined
  /** Files that steps name and that are not of the source. */
  readonly files: ReadonlyMap<string, () => Promise<Buffer>>
  /** An error of the recipe in the words of the URL. */
  explain(error: unknown): unknown
}

/** Reads imgproxy's URLs. */
export interface ImgproxyDialect {
  isAddress(url: string): boolean
  /**
   * @param sources those of administrators: anyone with the key can sign for all of them
   * @throws ApiError invalid_signature, invalid_params, source_not_found
   */
  read(url: string, sources: readonly Source[]): ImgproxyOrder
}

export function imgproxyDialect({ pairs, presets, baseUrl, localRoot, watermarkPath }: ImgproxySettings): ImgproxyDialect {
  const files = new Map(watermarkPath === undefined ? [] : [[WATERMARK_FILE, () => readFile(watermarkPath)]])
  return {
    isAddress: (url) => readImgproxyAddress(url) !== undefined,
    read(url, sources) {
      const address = readImgproxyAddress(url)
      if (!address || !isImgproxySigned(address, pairs)) throw new ApiError('invalid_signature')
      const { options, original, extension } = readImgproxyPath(address.signedText)
      const all = [
        ...(presets.has('default') ? ['preset:default'] : []),
        ...options,
        ...(extension === undefined ? [] : [`format:${extension}`]),
      ]
      const requestedOptions = withOptions(DEFAULTS, all, presets)
      requireInTime(requestedOptions.expires)
      const recipe = recipeOf(requestedOptions, files.has(WATERMARK_FILE))
      const full = original.startsWith(baseUrl) ? original : baseUrl + original
      const place = placeOf(full, localRoot, sources)
      return { ...place, recipe, expires: requestedOptions.expires, buster: requestedOptions.buster, files, explain: inOptions }
    },
  }
}

/** The source that an original belongs to, the nearest one, and its path there. */
function placeOf(
  original: string,
  localRoot: string | undefined,
  sources: readonly Source[],
): Pick<ImgproxyOrder, 'source' | 'path'> {
  const knownRoots = sources
    .flatMap((source) => prefixesOf(source, localRoot).map((prefix) => ({ source, prefix })))
    .filter(({ prefix }) => original.startsWith(prefix))
    .sort((one, other) => other.prefix.length - one.prefix.length)
  const [nearest] = knownRoots
  if (!nearest) throw new ApiError('source_not_found', { message: 'No source of an administrator has this original.' })
  const rest = original.slice(nearest.prefix.length)
  if (/[?#]/.test(rest)) throw invalidParam('url', 'custom', 'Originals with a query are not supported.')
  return { source: nearest.source, path: segmentsOf(rest) }
}

/** How the originals of a source begin in imgproxy's URLs. */
function prefixesOf({ place }: Source, localRoot: string | undefined): readonly string[] {
  if (place.type === 'web') return [place.baseUrl]
  if (place.type === 'bucket') return [`s3://${place.bucket}/${place.prefix === '' ? '' : `${place.prefix}/`}`]
  const folder = `${place.path.replace(/\/+$/, '')}/`
  const root = localRoot === undefined ? undefined : `${localRoot.replace(/\/+$/, '')}/`
  return root !== undefined && folder.startsWith(root) ? [`local:///${folder.slice(root.length)}`] : []
}
