import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { imageFormats, writtenFormats } from '@pixelmill/codecs/image-formats'
import { chosenFormats } from '@pixelmill/engine/recipe/recipe'
import { type PictureFile, pictureElement, srcsetOf } from 'pixelmill/html/picture-element'
import { z } from 'zod'

/** Widths of a picture for different screens, each once. */
export const widths = z
  .array(z.int().min(limits.side.min).max(limits.side.max))
  .min(1)
  .max(limits.delivery.signedWidths)
  .refine((all) => new Set(all).size === all.length, { error: 'Must be different.' })
  .describe('Widths in pixels, each of which gets a URL. With w and h in the query, these are the ratio of all of them.')

const formatName = z.enum([...chosenFormats, ...writtenFormats])

/** Formats of a `<picture>`, the one that every browser understands last. */
export const formats = z
  .array(formatName)
  .min(1)
  .max(limits.delivery.signedFormats)
  .refine((all) => new Set(all).size === all.length, { error: 'Must be different.' })
  .refine((all) => !all.slice(0, -1).some((name) => chosenFormats.some((format) => format === name)), {
    error: 'Formats that depend on the client or on the original, such as auto, can only be the last.',
  })
  .describe('Formats of the <picture>, the one that every browser understands last. By default that of the query, or auto.')
type Format = z.output<typeof formatName>

/** URLs of one picture for different screens, as HTML takes them. */
export interface PictureUrls {
  /** The largest in the last format. */
  readonly url: string
  /** Of the last format, for an `<img>`. */
  readonly srcset: string
  readonly sources: readonly { readonly format: Format; readonly srcset: string }[]
  /** The element, without the text that stands for the picture. */
  readonly picture: string
}

/**
 * @param sign makes the URL of a query
 * @throws ApiError invalid_params for a query that has what the lists say
 */
export function pictureUrls(
  query: string,
  lists: { readonly widths: readonly number[]; readonly formats?: readonly Format[] | undefined },
  sign: (query: string) => string,
): PictureUrls {
  const queryParameters = new URLSearchParams(query)
  const ratio = ratioOf(queryParameters)
  if (lists.formats && queryParameters.has('f')) throw invalidParam('f', 'custom', 'Must be sent without formats.')
  const names = lists.formats ?? [formatName.catch('auto').parse(queryParameters.get('f') ?? 'auto')]
  const sources = names.map((format) => ({
    format,
    files: lists.widths.map((width): PictureFile => {
      const parameters = new URLSearchParams(query)
      parameters.set('w', String(width))
      const height = ratio && Math.min(limits.side.max, Math.max(1, Math.round(width * ratio)))
      if (height !== undefined) parameters.set('h', String(height))
      if (lists.formats) parameters.set('f', format)
      return { url: sign(parameters.toString().replaceAll('%2C', ',')), width, ...(height !== undefined && { height }) }
    }),
  }))
  const largest = sources
    .at(-1)
    ?.files.toSorted((one, other) => one.width - other.width)
    .at(-1)
  return {
    url: largest?.url ?? '',
    srcset: srcsetOf(sources.at(-1)?.files ?? []),
    sources: sources.map(({ format, files }) => ({ format, srcset: srcsetOf(files) })),
    picture: pictureElement(sources.map(({ format, files }) => ({ type: typeOf(format), files }))),
  }
}

/** Height by width, if the query has both. @throws ApiError invalid_params */
function ratioOf(query: URLSearchParams): number | undefined {
  const excessName = ['p', 'r', 'dpr'].find((name) => query.has(name))
  if (excessName) throw invalidParam(excessName, 'custom', 'Must be sent without widths.')
  if (query.has('w') !== query.has('h'))
    throw invalidParam(
      query.has('w') ? 'w' : 'h',
      'custom',
      'Must be sent without widths, or as w and h, which are then the ratio.',
    )
  const [width, height] = ['w', 'h'].map((name) => Number(query.get(name)))
  return width && height ? height / width : undefined
}

const typeOf = (format: Format): string => (format in imageFormats ? imageFormats[format as keyof typeof imageFormats].mime : '')
