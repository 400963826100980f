import { readFile } from 'node:fs/promises'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import type { Recipe } from '@pixelmill/engine/recipe/recipe'
import { ApiError } from '../../contract/api-error.ts'
import { requireInTime } from '../address.ts'
import type { Disposition, Prepare } from '../preparation.ts'
import type { Source } from '../source.ts'
import { isImgproxySigned, type KeyPair, readImgproxyAddress, readImgproxyPath } from './address.ts'
import { withOptions } from './options.ts'
import { type OriginalPlace, placeOf } from './originals.ts'
import { preparation } from './prepare.ts'
import { inOptions, recipeOf } from './recipe.ts'
import { DEFAULTS, type ImgproxyOptions } from './requested.ts'

export interface ImgproxySettings {
  readonly pairs: readonly KeyPair[]
  /** Options by name; `default` applies to every URL. */
  readonly presets: ReadonlyMap<string, readonly string[]>
  /** Precedes the URL of an original that does not begin with it. */
  readonly baseUrl: string
  /** Of originals as local:///…. */
  readonly localRoot: string | undefined
  /** Whether the last part of an encoded original's path is no part of it. */
  readonly endsWithName: boolean
  readonly watermarkPath: string | undefined
}

/** What a URL asks for, after its signature was checked. */
export interface ImgproxyOrder extends OriginalPlace {
  /** Of one output, without steps: they depend on the picture. */
  readonly recipe: Recipe
  readonly prepare: Prepare
  /** Seconds since 1970. */
  readonly expires: number | undefined
  /** Makes it another image than one with the same recipe. */
  readonly variant: string
  readonly disposition: Disposition
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

export function imgproxyDialect(settings: ImgproxySettings): ImgproxyDialect {
  const { pairs, presets, baseUrl, localRoot, endsWithName, watermarkPath } = settings
  const readWatermark = () => readFile(watermarkPath ?? '')
  return {
    isAddress: (url) => readImgproxyAddress(url) !== undefined,
    read(url, sources) {
      const address = readImgproxyAddress(url)
      if (!address || !isImgproxySigned(address, pairs)) throw new ApiError('invalid_signature')
      const { options: sentOptions, original, extension } = readImgproxyPath(address.signedText, endsWithName)
      const all = [
        ...(presets.has('default') ? ['preset:default'] : []),
        ...sentOptions,
        ...(extension === undefined ? [] : [`format:${extension}`]),
      ]
      const options = withOptions(DEFAULTS, all, presets)
      requireInTime(options.expires)
      if (options.watermark && watermarkPath === undefined)
        throw invalidParam('watermark', 'custom', 'Is not supported here: IMGPROXY_WATERMARK_PATH is not set.')
      return {
        ...placeOf(original.startsWith(baseUrl) ? original : baseUrl + original, localRoot, sources),
        recipe: recipeOf(options, []),
        prepare: preparation(options, readWatermark),
        expires: options.expires,
        variant: variantOf(options),
        disposition: dispositionOf(options),
        explain: inOptions,
      }
    },
  }
}

/** All that can change the answer; when it ends is no part of it. */
const variantOf = ({ expires: _, ...options }: ImgproxyOptions): string => JSON.stringify(options)

const dispositionOf = ({ isAttachment, fileName }: ImgproxyOptions): Disposition => ({
  type: isAttachment ? 'attachment' : 'inline',
  ...(fileName !== undefined && { stem: fileName }),
})
