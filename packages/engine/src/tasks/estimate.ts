import { codecs } from '@pixelmill/codecs'
import type { Codec, Cost, Effort } from '@pixelmill/codecs/codec'
import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Header, megapixels, readHeader } from '@pixelmill/codecs/pixels/header'
import { framesFor, type Opening } from '@pixelmill/codecs/pixels/open'
import { hasTarget } from '../recipe/fields.ts'
import type { Plan, PlannedOutput } from '../recipe/plan.ts'
import type { Work } from '../recipe/work.ts'
import { tasks } from './index.ts'
import type { Task } from './task.ts'

/** Colour conversion, and whatever else is done to every pixel of an output. */
const EDITING = 0.01

/** Cost of a file's bytes in addition to its pixels: more bytes hold more detail. */
const SECONDS_PER_MEGABYTE = 0.01

/** Of the further files, whose formats are not read: as of HEIC, the slowest of those that are sent often. */
const SLOWEST_DECODING = codecs.heic.cost.decoding

/** Per processed megapixel, of tasks without a plan in the lane sync: copies, crops and maps that shrink it first. */
const WITHOUT_PLAN = 0.01

/** Searches for a score or bytes: trying a sample, in seconds; describing, decoding and scoring a megapixel; and how often it is encoded. */
const SAMPLING = 0.05
const SCORING = 0.12
const ENCODES = { visualQuality: 1.6, maxBytes: 4 } as const

/** What is known before anything is decoded. */
interface Source {
  readonly header: Header
  /** Frames to be processed. */
  readonly frames: number
  /** Size of the first file. */
  readonly bytes: number
  /** Megapixels of each of the other files. */
  readonly others: readonly number[]
  /** Processed megapixels. */
  readonly weight: number
}

/** What a task takes. */
export interface Load {
  /** Of the largest picture: as decoded, on the way, as encoded, or a further file. */
  readonly megapixels: number
  /** Estimated seconds of a core. */
  seconds(): number
}

interface Request {
  readonly header: Header
  /** The format for which the picture is opened. */
  readonly target: Opening
  readonly bytes: number
  readonly others: readonly Buffer[]
  /** What the task itself says. */
  readonly own: number | undefined
}

/**
 * What a task takes, from headers and parameters.
 * @throws ImageError image_too_large for steps that would hold a renderer for long
 */
export async function weigh(plan: Plan | undefined, { header, target, bytes, others, own = 0 }: Request): Promise<Load> {
  const frames = framesFor(header, target)
  const decodedMegapixels = megapixels(header.width, header.height, frames)
  const weights = await Promise.all(others.map(weightOf))
  const weight = Math.max(decodedMegapixels, plan?.megapixels ?? 0, own, ...weights)
  const source = { header, frames, weight, bytes, others: weights }
  if (plan) checkWork(plan, source)
  return { megapixels: weight, seconds: () => estimate(plan, source) }
}

export const isTooHeavy = (load: Load, most: { readonly megapixels: number; readonly seconds?: number | undefined }): boolean =>
  load.megapixels > most.megapixels || load.seconds() > (most.seconds ?? Number.POSITIVE_INFINITY)

/** Megapixels of a further file; an unreadable one weighs nothing, and is refused when it is used. */
const weightOf = (bytes: Buffer): Promise<number> =>
  readHeader(bytes).then(
    ({ width, height }) => megapixels(width, height, 1),
    () => 0,
  )

/** Most estimates are right within a factor of two; a file can be crafted to take much longer. */
function estimate(plan: Plan | undefined, source: Source): number {
  if (!plan) return opening(source) + WITHOUT_PLAN * source.weight
  const { header, frames } = source
  const encoding = plan.outputs.reduce((sum, output) => sum + ofOutput(output, header.codec, frames), 0)
  return workOf(plan, source).together + encoding
}

/**
 * Refuses what would hold a renderer for long by steps that are each possible.
 * @throws ImageError image_too_large
 */
export function checkWork(plan: Plan, source: Source): void {
  const { longest, together } = workOf(plan, source)
  const most = limits.recipe.seconds
  if (longest <= most.output && together <= most.together) return
  const takes = longest > most.output ? longest : together
  const limit = longest > most.output ? most.output : most.together
  const what = longest > most.output ? 'The steps of an output' : 'The steps of all outputs together'
  throw new ImageError('image_too_large', {
    message: `${what} would take about ${Math.ceil(takes)} seconds of a processor core; at most ${limit} are possible. Ask for smaller sizes, or for fewer steps.`,
  })
}

/** Decoding and steps, before anything is encoded: on the way to the output that takes longest, and to all of them. */
function workOf({ sharedWork, outputs, decoding: decodes, files }: Plan, source: Source) {
  const reading = (name: string) => SLOWEST_DECODING * (source.others[files.indexOf(name)] ?? 0)
  const secondsOf = ({ seconds, reads }: Work) => reads.reduce((sum, name) => sum + reading(name), seconds)
  const openingSeconds = opening(source) + secondsOf(sharedWork)
  const own = outputs.map(({ work }) => secondsOf(work))
  const times = decodes === 'once' ? 1 : outputs.length
  return { longest: openingSeconds + Math.max(...own), together: own.reduce((sum, one) => sum + one, times * openingSeconds) }
}

const opening = ({ header, frames, bytes }: Source): number =>
  header.codec.cost.decoding * megapixels(header.width, header.height, frames) + (SECONDS_PER_MEGABYTE * bytes) / 1e6

function ofOutput({ asked, codec, choices, width, height }: PlannedOutput, source: Codec, frames: number): number {
  const after = megapixels(width, height, frames)
  if (asked.optimize) return source.cost.optimizing * after
  if (asked.format === 'best') {
    const slowest = Math.max(...choices.map(({ cost }) => encodingSeconds(cost, asked.effort)))
    return SAMPLING * choices.length + (EDITING + SCORING + ENCODES.visualQuality * slowest) * after
  }
  const { cost } = codec
  const hasPalette = asked.quality !== undefined && asked.quality < 100
  const ofStill = (hasPalette && cost.palette) || encodingSeconds(cost, asked.effort)
  const perMegapixel = frames > 1 ? Math.max(cost.animating ?? 0, ofStill) : ofStill
  const searchEncodes = asked.maxBytes === undefined ? ENCODES.visualQuality : ENCODES.maxBytes
  if (!hasTarget(asked)) return (EDITING + perMegapixel) * after
  return SAMPLING + (EDITING + SCORING + searchEncodes * perMegapixel) * after
}

/** For a megapixel. */
const encodingSeconds = (cost: Cost, effort: Effort = 'balanced'): number =>
  (effort === 'balanced' ? undefined : cost[effort]) ?? cost.encoding

/** The time limit of any image, if all have `timeoutSeconds`. */
export const longestSeconds = (timeoutSeconds: number): number =>
  Math.max(
    timeoutSeconds,
    ...Object.values<Task>(tasks).map(({ secondsPerMegapixel = 0 }) => (secondsPerMegapixel * limits.pixels) / 1e6),
  )
