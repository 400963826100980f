import type { Codec } from '../codecs/codec.ts'
import { limits } from '../contract/limits.ts'
import { type Header, megapixels } from '../image/header.ts'
import { type TaskName, tasks } from './index.ts'
import type { Plan, Task } from './task.ts'

/**
 * Seconds of a core for each megapixel of all frames: real photographs and drawn pictures of 0.5 to 12 megapixels through
 * tasks/run.ts, one core of an AMD EPYC (2 GHz). Where pictures differ, nearer to the slow ones.
 */
type Rates = Readonly<Record<Codec['name'], number>>

const decoding: Rates = { jpeg: 0.004, png: 0.01, webp: 0.015, avif: 0.035, gif: 0.015, tiff: 0.013, heic: 0.045, bmp: 0.02 }
const encoding: Rates = { jpeg: 0.006, png: 0.03, webp: 0.025, avif: 0.09, gif: 0.5, tiff: 0.03, heic: 0.35, bmp: 0.02 }
const optimizing: Rates = { jpeg: 0.4, png: 2, webp: 0.5, avif: 1, gif: 1.5, tiff: 0.15, heic: 0.4, bmp: 0.05 }

/** PNG with a quality has a palette. */
const PALETTE = 0.23
const ENLARGING = 0.06
const TURNING = 0.035
/** For each pixel of the blur's sigma too. */
const BLURRING = 0.0006
/** A watermark over every pixel, and what else is done to all of them, such as a change of their colours. */
const EDITING = 0.01

/** What a file's bytes cost beside its pixels: more of them hold more detail. */
const SECONDS_PER_MEGABYTE = 0.01

/** For each megapixel at work, of the tasks without a plan that the lane sync does: copies, cuts and maps that shrink it first. */
const WITHOUT_PLAN = 0.01

/** What is known before anything is decoded. */
interface Source {
  readonly header: Header
  /** That are worked on. */
  readonly frames: number
  /** Of the first file. */
  readonly bytes: number
  /** Megapixels of the files behind it. */
  readonly others: number
  /** Megapixels at work. */
  readonly weight: number
}

/**
 * Seconds of a core that a task is likely to take, by a header and parameters. Most are within a factor of two; a file can be
 * made to take any number of times as long.
 */
export function estimate(
  name: TaskName,
  params: Readonly<Record<string, unknown>>,
  plan: Plan | undefined,
  { header, frames, bytes, others, weight }: Source,
): number {
  const before = megapixels(header.width, header.height, frames)
  const opened = decoding[header.codec.name] * before + (SECONDS_PER_MEGABYTE * bytes) / 1e6
  if (!plan) return opened + WITHOUT_PLAN * weight
  const after = megapixels(plan.width, plan.height, frames)
  // The formats of the others are not read: they may be of the one that takes longest.
  const decoded = opened + decoding.heic * others
  if (name === 'optimize') return decoded + optimizing[header.codec.name] * before
  const number = (field: string) => Number(params[field] ?? 0)
  const palette = plan.codec.name === 'png' && params.quality !== undefined && number('quality') < 100
  return (
    decoded +
    (after > before ? ENLARGING * after : 0) +
    (number('rotate') % 90 === 0 ? 0 : TURNING * before) +
    BLURRING * number('blur') * after +
    (EDITING + (palette ? PALETTE : encoding[plan.codec.name])) * after
  )
}

/** The longest that any image may take, where all may take `timeoutSeconds`. */
export const longestSeconds = (timeoutSeconds: number): number =>
  Math.max(
    timeoutSeconds,
    ...Object.values<Task>(tasks).map(({ secondsPerMegapixel = 0 }) => (secondsPerMegapixel * limits.pixels) / 1e6),
  )
