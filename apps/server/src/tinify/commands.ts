import { codecs } from '@pixelmill/codecs'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson } from '@pixelmill/codecs/contract/parse'
import { type FormatName, imageFormats, writtenFormats } from '@pixelmill/codecs/image-formats'
import { type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'

/** What is done to an uploaded image, as Tinify's clients write it. */
export interface Commands {
  readonly recipe: Recipe
  /** Formats of which the smallest result is sent; empty if the format is fixed. */
  readonly among: readonly FormatName[]
}

const side = z.int().min(1).max(limits.side.max)

const resize = z.discriminatedUnion('method', [
  z.strictObject({ method: z.literal('scale'), width: side.optional(), height: side.optional() }),
  z.strictObject({ method: z.enum(['fit', 'cover', 'thumb']), width: side, height: side }),
])

const mimes = writtenFormats.map((name) => codecs[name].mime)
const anyType = '*/*'
/** Also by other names that clients use, such as image/jpg. */
const mimeOf = new Map(
  writtenFormats.flatMap((name) => imageFormats[name].subtypes.map((subtype) => [`image/${subtype}`, codecs[name].mime])),
)
const type = z
  .string()
  .toLowerCase()
  .transform((text) => mimeOf.get(text) ?? text)
  .pipe(z.enum([anyType, ...mimes] as [string, ...string[]], `Must be of ${[...mimes, anyType].join(', ')}.`))
const types = z
  .union([z.string(), z.array(z.string())])
  .transform((sentCommand) => [sentCommand].flat())
  .pipe(z.array(type).min(1))
  .describe(`${[...mimes, anyType].join(', ')}, or a list of these, of which the smallest result is sent.`)

const backgrounds: Readonly<Record<string, string>> = { white: '#ffffff', black: '#000000' }
const background = z
  .string()
  .transform((text) => backgrounds[text] ?? text)
  .pipe(z.string().regex(/^#([0-9a-f]{3}|[0-9a-f]{6})$/i, 'Must be white, black or a colour as #rrggbb.'))

export const commands = z.strictObject({
  resize: resize.optional(),
  convert: z.strictObject({ type: types }).optional(),
  transform: z.strictObject({ background: background.optional() }).optional(),
  preserve: z.array(z.enum(['copyright', 'creation', 'location'])).optional(),
})

/**
 * Reads the JSON of a request to `/output/…`.
 * @throws ApiError invalid_params, also for `store`, which is not served
 */
export function readCommands(sentCommand: unknown): Commands {
  const { resize, convert, transform, preserve = [] } = parseJson(commands, sentCommand)
  const types = convert?.type ?? []
  const formats = types.includes(anyType)
    ? (['avif', 'webp', 'jpeg', 'png'] as const)
    : writtenFormats.filter((name) => types.includes(codecs[name].mime))
  const [only] = formats
  const format = formats.length > 1 ? 'best' : (only ?? 'same')
  const recipe = parseJson(recipeSchema, {
    steps: [
      ...(resize ? [{ resize: resizeStep(resize) }] : []),
      ...(transform?.background ? [{ background: { color: transform.background } }] : []),
    ],
    outputs: [{ format, ...(format !== 'best' && { quality: limits.quality.default }), metadata: metadataOf(preserve) }],
  })
  return { recipe, among: formats.length > 1 ? formats : [] }
}

/** Images are never enlarged, as with Tinify. */
function resizeStep(resizing: z.output<typeof resize>) {
  const { method, width, height } = resizing
  const isCut = method === 'cover' || method === 'thumb'
  return { width, height, enlarge: false, ...(isCut && { fit: 'cover', gravity: 'subject' }) }
}

function metadataOf(preservedTexts: readonly string[]): 'none' | 'copyright' | 'all' | 'all+gps' {
  if (preservedTexts.includes('location')) return 'all+gps'
  if (preservedTexts.includes('creation')) return 'all'
  return preservedTexts.includes('copyright') ? 'copyright' : 'none'
}
