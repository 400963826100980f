import { canonical, resultId } from '@pixelmill/engine/recipe/canonical'
import { type NamedStep, namedSteps, type Recipe } from '@pixelmill/engine/recipe/recipe'
import { isRefusal } from '../contract/api-error.ts'
import { type Asked, readParameters } from './parameters.ts'

/**
 * The query of a delivery URL for a recipe of one output: its short parameters, if these say the same to the pixel, or else `r`.
 * @param followsHints whether the source gives URLs a width or dpr that they do not have
 */
export function recipeQuery(recipe: Recipe, followsHints: boolean): string {
  const short = shortQuery(recipe)
  const candidates = short === undefined ? [] : [short, `${short}&dpr=1`]
  return candidates.find((query) => saysTheSame(query, recipe, followsHints)) ?? wholeQuery(recipe)
}

const wholeQuery = (recipe: Recipe): string => `r=${Buffer.from(canonical(recipe)).toString('base64url')}`

function saysTheSame(query: string, recipe: Recipe, followsHints: boolean): boolean {
  const order = askedBy(query)
  if (!order?.recipe || (followsHints && order.hints?.length)) return false
  return resultId('', [], order.recipe, 0) === resultId('', [], recipe, 0)
}

function askedBy(query: string): Asked | undefined {
  try {
    return readParameters(query)
  } catch (error) {
    if (isRefusal(error)) return undefined
    throw error
  }
}

type Pairs = readonly (readonly [name: string, value: string | number | undefined])[]

/** Parameters that may say the recipe; undefined for steps that have none, and for one that comes twice. */
function shortQuery({ steps, outputs: [output] }: Recipe): string | undefined {
  if (!output) return undefined
  const allSteps = [...namedSteps(steps), ...namedSteps(output.steps)]
  const pairs = allSteps.map(pairsOf)
  if (pairs.includes(undefined) || new Set(allSteps.map(({ name }) => name)).size < allSteps.length) return undefined
  const { format, quality, visualQuality, maxBytes, effort, dpr } = output
  const ofOutput: Pairs = [
    ['dpr', dpr === 1 ? undefined : dpr],
    ['q', quality],
    ['vq', visualQuality],
    ['max', maxBytes],
    ['effort', effort],
    ['f', format === 'auto' ? undefined : format],
  ]
  return [...pairs.flatMap((one) => one ?? []), ...ofOutput]
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value)).replaceAll('%2C', ',')}`)
    .join('&')
}

/** The parameters of a step; what they do not say is found when they are read again. */
function pairsOf(step: NamedStep): Pairs | undefined {
  switch (step.name) {
    case 'resize':
      return resizePairs(step.params)
    case 'rotate':
      return [['rot', step.params.angle]]
    case 'flip':
      return [['flip', 1]]
    case 'flop':
      return [['flop', 1]]
    case 'grayscale':
      return [['gray', 1]]
    case 'blur':
      return [['blur', step.params.sigma]]
    case 'sharpen':
      return [['sharpen', step.params.sigma]]
    case 'pixelate':
      return [['pixelate', step.params.size]]
    case 'background':
      return [['bg', step.params.color.slice(1)]]
    case 'roundCorners':
      return [['round', step.params.radius]]
    default:
      return undefined
  }
}

type Resize = Extract<NamedStep, { name: 'resize' }>['params']

function resizePairs({ width, height, fit, gravity, enlarge }: Resize): Pairs {
  const isPlaced = gravity !== 'center'
  const usual = isPlaced && width !== undefined && height !== undefined ? 'cover' : 'inside'
  return [
    ['w', width],
    ['h', height],
    ['fit', fit === usual ? undefined : fit],
    ['g', isPlaced ? gravityText(gravity) : undefined],
    ['enlarge', enlarge ? 1 : undefined],
  ]
}

const gravityText = (gravity: Resize['gravity']): string => (typeof gravity === 'string' ? gravity : `${gravity.x},${gravity.y}`)
