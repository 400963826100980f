import { type Issue, invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { parseJson, parseQuery } from '@pixelmill/codecs/contract/parse'
import { writtenFormats } from '@pixelmill/codecs/image-formats'
import {
  boolean,
  effortField,
  fit,
  format,
  integer,
  number,
  opaqueColour,
  quality,
  radius,
  side,
  target,
} from '@pixelmill/engine/recipe/fields'
import { chosenFormats, type Recipe, recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { covers } from '@pixelmill/engine/recipe/steps/resize'
import { z } from 'zod'
import { presetName } from '../accounts/presets.ts'
import { ApiError, isRefusal } from '../contract/api-error.ts'
import { type ClientHints, type HintName, NO_HINTS } from './client-hints.ts'
import type { Density } from './content-dpr.ts'

/** What a URL asks for: a recipe of one output, or a preset of the source's account. */
export interface Asked {
  readonly recipe?: Recipe
  readonly preset?: string
  /** Seconds since 1970. */
  readonly expires?: number
  /** Hints that can change the image, where the source follows them. */
  readonly hints?: readonly HintName[]
  /** Where more or fewer pixels are asked for than the page shows. */
  readonly density?: Density
  /** An error of the recipe in the words of the URL. */
  explain(error: unknown): unknown
}

/** The short parameters of delivery. */
export const parameters = z.object({
  w: side('Width of the box in pixels.').optional(),
  h: side('Height of the box in pixels.').optional(),
  fit: fit.optional(),
  enlarge: boolean('Also enlarges a picture that is smaller than the box; otherwise it keeps its size.').optional(),
  g: covers.optional(),
  dpr: number(limits.recipe.dpr, 'Multiplies w and h.').optional(),
  q: quality('The same number looks alike in every format.').optional(),
  vq: target.visualQuality,
  max: target.maxBytes,
  effort: effortField.effort,
  f: format(
    [...chosenFormats, ...writtenFormats],
    'auto, the default, chooses by the header Accept; same keeps the format of the original.',
  ).optional(),
  rot: number(limits.rotate, 'Degrees clockwise.').optional(),
  flip: boolean('Mirrors up and down.').optional(),
  flop: boolean('Mirrors left and right.').optional(),
  blur: number(limits.blur, 'Sigma of a Gaussian, in pixels of the result.').optional(),
  sharpen: number(limits.sharpen.sigma, 'Sigma of the mask, in pixels of the result.').optional(),
  gray: boolean('Converts to shades of grey.').optional(),
  pixelate: integer(limits.side, 'Side of a block of one colour, in pixels of the result.').optional(),
  bg: z
    .preprocess(
      (sentParameters) => (typeof sentParameters === 'string' ? `#${sentParameters}` : sentParameters),
      opaqueColour('What transparency becomes, in hexadecimal digits: fff.'),
    )
    .optional(),
  round: radius('Radius of the corners: pixels of the result, a percentage of its shorter side, or max.').optional(),
  p: presetName.optional().describe('A preset of the account, in place of all parameters but e.'),
  r: z.base64url().optional().describe('A recipe of one output as base64url of its JSON, in place of all parameters but e.'),
  e: integer({ min: 0, max: 253_402_300_799 }, 'When the URL ends, in seconds since 1970.').optional(),
})

type Sent = z.output<typeof parameters>

/**
 * @param query as sent, without the signature
 * @param hints which a source follows
 * @throws ApiError invalid_params with the names of the parameters
 */
export function readParameters(query: string, hints: ClientHints = NO_HINTS): Asked {
  const params = new URLSearchParams(query)
  const unknownTexts = [...new Set(params.keys())].filter((name) => !Object.hasOwn(parameters.shape, name))
  if (unknownTexts.length > 0) throw faulty(unknownTexts.map((name) => issue(name, 'Is no parameter of a delivery URL.')))
  const { e: expires, ...sent } = parseQuery(parameters, params)
  const { p: preset, r: whole, ...short } = sent
  const alone = preset === undefined ? (whole === undefined ? undefined : 'r') : 'p'
  const beside = Object.keys(sent).filter((name) => name !== alone)
  if (alone && beside.length > 0) throw faulty(beside.map((name) => issue(name, `Must be sent without ${alone}.`)))
  const ends = expires !== undefined && { expires }
  if (preset !== undefined) return { explain: (error) => error, ...ends, preset }
  if (whole !== undefined) return { explain: (error) => error, ...ends, recipe: wholeRecipe(whole) }
  return { explain: inShort, ...ends, ...fromShort(short, hints) }
}

/** @throws ApiError invalid_params for a recipe of several outputs */
export function requireOneOutput(recipe: Recipe, name: string): Recipe {
  if (recipe.outputs.length === 1) return recipe
  throw invalidParam(name, 'custom', 'Must have one output: a URL is of one image.')
}

function wholeRecipe(encodedText: string): Recipe {
  let sentParameters: unknown
  try {
    sentParameters = JSON.parse(Buffer.from(encodedText, 'base64url').toString())
  } catch {
    throw invalidParam('r', 'invalid_format', 'Must be JSON, encoded as base64url.')
  }
  return requireOneOutput(parseJson(recipeSchema, sentParameters), 'r')
}

type Short = Omit<Sent, 'e' | 'p' | 'r'>

/** What the short parameters ask for, with what a browser tells where they say nothing. */
function fromShort(short: Short, hints: ClientHints) {
  const isBox = short.w !== undefined || short.h !== undefined
  const idle = (['fit', 'g', 'enlarge', 'dpr'] as const).filter((name) => short[name] !== undefined)
  if (!isBox && idle.length > 0) throw faulty(idle.map((name) => issue(name, 'Needs w, h or both.')))
  const names: readonly HintName[] = isBox ? (short.dpr === undefined ? ['dpr'] : []) : ['width']
  const params = {
    ...short,
    ...(names.includes('width') && hints.width !== undefined && { w: hints.width }),
    ...(names.includes('dpr') && hints.dpr !== undefined && { dpr: hints.dpr }),
  }
  const { w: width, h: height, dpr, fit } = params
  const density = dpr !== undefined && { density: { dpr, width, height, isOutside: fit === 'outside' } }
  return { recipe: recipeOf(params), hints: names, ...density }
}

/** The steps in the order of the contract. */
function recipeOf({
  w: width,
  h: height,
  fit,
  g: gravity,
  enlarge,
  dpr,
  q,
  vq,
  max,
  effort,
  f = 'auto',
  ...does
}: Short): Recipe {
  const isBox = width !== undefined || height !== undefined
  const isPlaced = gravity !== undefined && width !== undefined && height !== undefined
  const resize = {
    width,
    height,
    fit: fit ?? (isPlaced ? 'cover' : 'inside'),
    ...(gravity !== undefined && { gravity }),
    enlarge: enlarge ?? false,
  }
  const steps = [
    ...(does.rot === undefined || does.rot % 360 === 0 ? [] : [{ rotate: { angle: does.rot } }]),
    ...(does.flip ? [{ flip: {} }] : []),
    ...(does.flop ? [{ flop: {} }] : []),
    ...(isBox ? [{ resize }] : []),
    ...(does.blur === undefined ? [] : [{ blur: { sigma: does.blur } }]),
    ...(does.sharpen === undefined ? [] : [{ sharpen: { sigma: does.sharpen } }]),
    ...(does.gray ? [{ grayscale: {} }] : []),
    ...(does.pixelate === undefined ? [] : [{ pixelate: { size: does.pixelate } }]),
    ...(does.bg === undefined ? [] : [{ background: { color: does.bg } }]),
    ...(does.round === undefined ? [] : [{ roundCorners: { radius: does.round } }]),
  ]
  const output = { steps, format: f, quality: q, visualQuality: vq, maxBytes: max, effort, ...(dpr !== undefined && { dpr }) }
  try {
    return parseJson(recipeSchema, { outputs: [output] })
  } catch (error) {
    throw inShort(error)
  }
}

/** Names of the recipe's fields as parameters. */
const SHORT: Readonly<Record<string, keyof Sent>> = {
  width: 'w',
  height: 'h',
  gravity: 'g',
  angle: 'rot',
  format: 'f',
  quality: 'q',
  visualQuality: 'vq',
  maxBytes: 'max',
  color: 'bg',
  size: 'pixelate',
  radius: 'round',
}

/** An error of a recipe that was made of short parameters, with their names in place of places in the recipe. */
export function inShort(error: unknown): unknown {
  if (!(isRefusal(error) && error.issues)) return error
  return faulty(
    error.issues.map(({ path, code, message }) => {
      const step = path.find((part) => part === 'blur' || part === 'sharpen')
      const last = String(step ?? path.at(-1) ?? '')
      return { path: [SHORT[last] ?? last], code, message }
    }),
  )
}

const issue = (name: string, message: string): Issue => ({ path: [name.slice(0, 40)], code: 'custom', message })

/** At most twenty: a URL may have thousands of parameters. */
function faulty(all: readonly Issue[]): ApiError {
  const issues = all.slice(0, 20)
  return new ApiError('invalid_params', {
    issues,
    message: issues.map(({ path, message }) => `${path[0]}: ${message}`).join(' '),
  })
}
