import type { Codec } from '@pixelmill/codecs/codec'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Header, megapixels } from '@pixelmill/codecs/pixels/header'
import { hasTarget } from '../recipe/fields.ts'
import type { Plan, PlannedOutput } from '../recipe/plan.ts'
import type { Work } from '../recipe/work.ts'
import { tasks } from './index.ts'
import type { Task } from './task.ts'

/**
 * Seconds of a core per megapixel over all frames: real photographs and drawn pictures of 0.5 to 12 megapixels by tasks/run.ts,
 * on one core of an AMD EPYC (2 GHz). Where pictures differ, closer to the slow ones.
 */
type Rates = Readonly<Record<Codec['name'], number>>

const decoding: Rates = {
  jpeg: 0.004,
  png: 0.01,
  webp: 0.015,
  avif: 0.035,
  gif: 0.015,
  tiff: 0.013,
  heic: 0.045,
  bmp: 0.02,
  jxl: 0.06,
}
const encoding: Rates = {
  jpeg: 0.006,
  png: 0.03,
  webp: 0.025,
  avif: 0.09,
  gif: 0.5,
  tiff: 0.03,
  heic: 0.35,
  bmp: 0.02,
  jxl: 0.07,
}
const optimizing: Rates = { jpeg: 0.4, png: 2, webp: 0.5, avif: 1, gif: 1.5, tiff: 0.15, heic: 0.4, bmp: 0.05, jxl: 1.5 }

/** PNG with a quality has a palette. */
const PALETTE = 0.23
/** Colour conversion, and whatever else is done to every pixel of an output. */
const EDITING = 0.01

/** Cost of a file's bytes in addition to its pixels: more bytes hold more detail. */
const SECONDS_PER_MEGABYTE = 0.01

/** Per processed megapixel, of tasks without a plan in the lane sync: copies, crops and maps that shrink it first. */
const WITHOUT_PLAN = 0.01

/** Searches for a score or bytes: scoring samples, in seconds, and how many times the picture is encoded, samples included. */
const SCORING = 0.12
const ENCODES = { visualQuality: 1.4, maxBytes: 4 } as const

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

/**
 * Estimated seconds of a core for a task, from headers and parameters. Most are right within a factor of two; a file can be
 * crafted to take much longer.
 */
export function estimate(plan: Plan | undefined, source: Source): number {
  if (!plan) return opening(source) + WITHOUT_PLAN * source.weight
  const { header, frames } = source
  const written = plan.outputs.reduce((sum, output) => sum + ofOutput(output, header.codec, frames), 0)
  return workOf(plan, source).together + written
}

/**
 * Refuses what would hold a renderer for long by steps that are each possible.
 * @throws ApiError image_too_large
 */
export function checkWork(plan: Plan, source: Source): void {
  const { longest, together } = workOf(plan, source)
  const most = limits.recipe.seconds
  if (longest <= most.output && together <= most.together) return
  const [takes, limit] = longest > most.output ? [longest, most.output] : [together, most.together]
  const what = longest > most.output ? 'The steps of an output' : 'The steps of all outputs together'
  throw new ApiError('image_too_large', {
    message: `${what} would take about ${Math.ceil(takes)} seconds of a processor core; at most ${limit} are possible. Ask for smaller sizes, or for fewer steps.`,
  })
}

/** Decoding and steps, before anything is encoded: on the way to the output that takes longest, and to all of them. */
function workOf({ sharedWork, outputs, decoding: decodes, files }: Plan, source: Source) {
  // The formats of the others are not read: assumes the slowest.
  const reading = (name: string) => decoding.heic * (source.others[files.indexOf(name)] ?? 0)
  const secondsOf = ({ seconds, reads }: Work) => reads.reduce((sum, name) => sum + reading(name), seconds)
  const begun = opening(source) + secondsOf(sharedWork)
  const own = outputs.map(({ work }) => secondsOf(work))
  const times = decodes === 'once' ? 1 : outputs.length
  return { longest: begun + Math.max(...own), together: own.reduce((sum, one) => sum + one, times * begun) }
}

const opening = ({ header, frames, bytes }: Source): number =>
  decoding[header.codec.name] * megapixels(header.width, header.height, frames) + (SECONDS_PER_MEGABYTE * bytes) / 1e6

function ofOutput({ asked, codec, choices, width, height }: PlannedOutput, source: Codec, frames: number): number {
  const after = megapixels(width, height, frames)
  if (asked.optimize) return optimizing[source.name] * after
  if (asked.format === 'best') {
    const slowest = Math.max(...choices.map(({ name }) => encoding[name]))
    return SCORING * choices.length + (EDITING + ENCODES.visualQuality * slowest) * after
  }
  const palette = codec.name === 'png' && asked.quality !== undefined && asked.quality < 100
  const searched = asked.maxBytes === undefined ? ENCODES.visualQuality : ENCODES.maxBytes
  const [encodes, scoring] = hasTarget(asked) ? [searched, SCORING] : [1, 0]
  return scoring + (EDITING + encodes * (palette ? PALETTE : encoding[codec.name])) * after
}

/** The time limit of any image, if all have `timeoutSeconds`. */
export const longestSeconds = (timeoutSeconds: number): number =>
  Math.max(
    timeoutSeconds,
    ...Object.values<Task>(tasks).map(({ secondsPerMegapixel = 0 }) => (secondsPerMegapixel * limits.pixels) / 1e6),
  )
