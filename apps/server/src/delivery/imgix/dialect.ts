import { ApiError } from '../../contract/api-error.ts'
import { encodedPath, requireInTime, segmentsOf } from '../address.ts'
import { type DialectAccess, placeBelow, type SourceDialect, type SourceOrder, secretsOf } from '../dialects/dialect.ts'
import { bySize } from '../dialects/prepare.ts'
import { decodedText, valueFault } from '../dialects/values.ts'
import type { Prepare } from '../preparation.ts'
import type { Source } from '../source.ts'
import { isImgixSigned, readImgixAddress } from './address.ts'
import type { ImgixOptions } from './options.ts'
import { imgixRecipe, isOfFormatOnly, recipeOfFormat } from './plan.ts'
import { readImgixParameters } from './read-parameters.ts'

/** Reads imgix's URLs, below /imgix/ and the name of a source. */
export const imgixDialect = (access: DialectAccess): SourceDialect => ({
  sourceOf: (url) => readImgixAddress(url)?.source,
  async read(url, source) {
    const address = readImgixAddress(url)
    if (!address) throw new ApiError('source_not_found')
    if (!access.openSources.includes(source.name) && !isImgixSigned(address, secretsOf(source, access)))
      throw new ApiError('invalid_signature')
    const { options, buster } = readImgixParameters(address.query)
    requireInTime(options.expires)
    const { expires, ...ofPicture } = options
    return {
      source,
      ...originalOf(source, address.path),
      recipe: recipeOfFormat(options),
      ...(!isOfFormatOnly(options) && { prepare: preparation(withMark(source, options)) }),
      variant: `imgix ${JSON.stringify(ofPicture)} ${buster}`,
      expires,
      ...(options.fileName !== undefined && { disposition: { type: 'attachment', stem: options.fileName } }),
      explain: (error) => error,
    }
  },
})

function preparation(options: ImgixOptions): Prepare {
  const { trim, trimTolerance: threshold = 10, mark } = options
  return bySize((original) => imgixRecipe(options, original), {
    ...(trim && { trim: { parameter: 'trim', threshold } }),
    ...(mark !== undefined && { marks: [mark] }),
  })
}

/** With the path of the mark in place of its URL. */
function withMark(source: Source, options: ImgixOptions): ImgixOptions {
  const { mark } = options
  return mark === undefined ? options : { ...options, mark: markPath(source, mark) }
}

function markPath(source: Source, mark: string): string {
  if (!/^https?:\/\//i.test(mark)) return segmentsOf(encodedPath(mark.replace(/^\//, ''))).join('/')
  const { place } = source
  if (place.type !== 'web' || !mark.startsWith(place.baseUrl)) throw valueFault('mark', mark, 'must be below the source.')
  return segmentsOf(mark.slice(place.baseUrl.length)).join('/')
}

/** A path of the source, or as with imgix's web proxies a whole URL. */
function originalOf(source: Source, path: string): Pick<SourceOrder, 'path' | 'query'> {
  if (/^\/https?(?::|%3A)/i.test(path)) return placeBelow(source, decodedText(path.slice(1)))
  return { path: segmentsOf(path.slice(1)), query: undefined }
}
