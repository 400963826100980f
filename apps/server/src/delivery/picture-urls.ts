import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { imageFormats, writtenFormats } from '@pixelmill/codecs/image-formats'
import { chosenFormats, type Recipe, type SentStep } from '@pixelmill/engine/recipe/recipe'
import type { StepName } from '@pixelmill/engine/recipe/steps/index'
import { type PictureFile, pictureElement, srcsetOf } from 'pixelmill/html/picture-element'
import { z } from 'zod'
import { recipeQuery } from './short-query.ts'

/** Widths of a picture for different screens, each once. */
export const widths = z
  .array(z.int().min(limits.side.min).max(limits.side.max))
  .min(1)
  .max(limits.delivery.signedWidths)
  .refine((all) => new Set(all).size === all.length, { error: 'Must be different.' })
  .describe(
    'Widths in pixels, each of which gets a URL. With w and h in the query, these are the ratio of all of them. In a recipe each takes the place of the width of its last resize, in the same ratio, or is that of a resize at its end.',
  )

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

/** The formats of a picture, and the query of each of its files. */
export interface PictureOrder {
  readonly formats: readonly Format[]
  readonly at: (width: number, format: Format) => { readonly query: string; readonly height?: number | undefined }
}

/** @param sign makes the URL of a query */
export function pictureUrls(
  { formats: names, at }: PictureOrder,
  widths: readonly number[],
  sign: (query: string) => string,
): PictureUrls {
  const sources = names.map((format) => ({
    format,
    files: widths.map((width): PictureFile => {
      const { query, height } = at(width, format)
      return { url: sign(query), width, ...(height !== undefined && { height }) }
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

const heightAt = (width: number, ratio: number): number => Math.min(limits.side.max, Math.max(1, Math.round(width * ratio)))

/**
 * The files of short parameters.
 * @throws ApiError invalid_params for a query that has what the lists say
 */
export function orderByQuery(query: string, formats: readonly Format[] | undefined): PictureOrder {
  const queryParameters = new URLSearchParams(query)
  const ratio = ratioOf(queryParameters)
  if (formats && queryParameters.has('f')) throw invalidParam('f', 'custom', 'Must be sent without formats.')
  return {
    formats: formats ?? [formatName.catch('auto').parse(queryParameters.get('f') ?? 'auto')],
    at(width, format) {
      const parameters = new URLSearchParams(query)
      parameters.set('w', String(width))
      const height = ratio && heightAt(width, ratio)
      if (height !== undefined) parameters.set('h', String(height))
      if (formats) parameters.set('f', format)
      return { query: parameters.toString().replaceAll('%2C', ','), height }
    },
  }
}

/** The files of a recipe of one output, in which the widths take the place of its own. */
export function orderByRecipe(recipe: Recipe, formats: readonly Format[] | undefined, followsHints: boolean): PictureOrder {
  return {
    formats: formats ?? recipe.outputs.map(({ format }) => format),
    at(width, format) {
      const { recipe: sizedRecipe, height } = recipeAtWidth(recipe, width)
      const outputs = sizedRecipe.outputs.map((output) => ({ ...output, format }))
      return { query: recipeQuery({ ...sizedRecipe, outputs }, followsHints), height }
    },
  }
}

/** Steps after which a picture has another size, so that an earlier resize no longer says its width. */
const SIZING: readonly StepName[] = ['crop', 'resize', 'rotate', 'trim', 'extend', 'enhance']

/** The last of these, if it is a resize, takes the width, with its own ratio; otherwise the picture is resized at the end. */
function recipeAtWidth({ steps, outputs }: Recipe, width: number): { readonly recipe: Recipe; readonly height?: number } {
  const [output] = outputs
  if (!output) throw new Error('a recipe has an output')
  const sharedCount = steps.length
  const all = [...steps, ...output.steps]
  const isSizing = (step: SentStep) => SIZING.some((name) => step[name] !== undefined)
  const last = all.findLastIndex(isSizing)
  const resize = all[last]?.resize
  const ratio = resize?.width !== undefined && resize.height !== undefined ? resize.height / resize.width : undefined
  const height = ratio === undefined ? undefined : heightAt(width, ratio)
  const step: SentStep = {
    resize: { fit: 'inside', gravity: 'center', enlarge: false, ...resize, width, ...(resize && { height }) },
  }
  const sizedSteps = resize ? all.with(last, step) : [...all, step]
  const recipe = {
    steps: sizedSteps.slice(0, sharedCount),
    outputs: [{ ...output, dpr: 1, steps: sizedSteps.slice(sharedCount) }],
  }
  return { recipe, ...(height !== undefined && { height }) }
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
