import type { HeicWriter } from '../codecs/heic/writers.ts'
import { codecs } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import type { WarningName } from '../contract/warnings.ts'
import type { Encoded } from '../image/encode.ts'
import { megapixels, readHeader } from '../image/header.ts'
import { decodes, framesFor, openImage } from '../image/open.ts'
import { checkResult } from '../image/size.ts'
import { decodingSeconds, estimate } from './estimate.ts'
import { type OperationName, operations, type StudyName, studies } from './index.ts'
import { writable } from './plan.ts'
import type { Examined, Operation, Study } from './task.ts'

/** An operation on files whose parameters have been parsed: what a renderer is asked to do. */
export interface Recipe {
  readonly operation: OperationName
  readonly params: Readonly<Record<string, unknown>>
}

/** The answer's image, and what to warn of in it. */
export interface Rendering extends Encoded {
  readonly warnings: readonly WarningName[]
}

/** What may be worked on without asking. */
export interface Allowance {
  readonly megapixels: number
  /** Estimated; without it any number. */
  readonly seconds?: number | undefined
}

/** The picture is heavier than was allowed, or its work longer; nothing was decoded. */
export interface TooHeavy {
  readonly megapixels: number
}

/** Megapixels of a further file; one that cannot be read weighs nothing, and is refused when it is used. */
export const weightOf = (bytes: Buffer): Promise<number> =>
  readHeader(bytes).then(
    ({ width, height }) => megapixels(width, height, 1),
    () => 0,
  )

/**
 * Header → plan → weight → pixels. The weight is the larger of what is decoded and what is encoded; over the allowance
 * it is handed back, so that the pool can make room for it; and so is what is estimated to take longer.
 * @throws ApiError for the caller's faults, conversion_failed for ours
 */
export async function run(
  { operation: name, params }: Recipe,
  files: readonly Buffer[],
  allowance: Allowance,
  heicWriter: HeicWriter,
): Promise<Rendering | TooHeavy> {
  const operation: Operation = operations[name]
  const [source = Buffer.alloc(0), ...extras] = files
  const header = await readHeader(source)
  const plan = writable(operation.plan(header, params), header, heicWriter)
  const frames = framesFor(header, plan.codec)
  checkResult(plan, frames, plan.codec)
  const others = await Promise.all(extras.map(weightOf))
  const weight = Math.max(megapixels(header.width, header.height, frames), megapixels(plan.width, plan.height, frames), ...others)
  const { seconds = Number.POSITIVE_INFINITY } = allowance
  const known = { header, frames, bytes: source.length, others: others.reduce((sum, one) => sum + one, 0) }
  const isLong = () => estimate(name, params, plan, known) > seconds
  if (weight > allowance.megapixels || isLong()) return { megapixels: weight }
  const image = await openImage(source, header, plan.codec)
  try {
    const encoded = await operation.render(image, params, plan, extras)
    return { ...encoded, warnings: encoded.untouched ? [] : image.warnings }
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError((await decodes(image)) ? 'conversion_failed' : 'invalid_image', { cause })
  }
}

/** A study with its parameters: what a renderer is asked to find out about a file, with others beside it where it takes some. */
export interface Inquiry {
  readonly study: StudyName
  readonly params: Readonly<Record<string, unknown>>
}

/** Seconds for each megapixel at work, of the studies that are done in the lane sync: copies, cuts and maps that shrink it first. */
const LOOKING = 0.01

const NO_BYTES = Buffer.alloc(0)

/**
 * Header → weight → pixels. What is heavier than allowed is handed back, so that the pool can make room for it; and so is what is estimated
 * to take longer.
 * @throws ApiError for the caller's faults, conversion_failed for ours
 */
export async function examine(
  { study: name, params }: Inquiry,
  [source = NO_BYTES, ...others]: readonly Buffer[],
  allowance: Allowance,
): Promise<Examined | TooHeavy> {
  const study: Study = studies[name]
  const header = await readHeader(source)
  // The format decides no more here than whether frames are opened.
  const target = study.moves ? codecs.webp : codecs.png
  const frames = framesFor(header, target)
  const decoded = megapixels(header.width, header.height, frames)
  const weight = Math.max(decoded, study.weigh?.(header, params) ?? 0, ...(await Promise.all(others.map(weightOf))))
  const { seconds = Number.POSITIVE_INFINITY } = allowance
  const isLong = () => decodingSeconds(header, frames, source.length) + LOOKING * weight > seconds
  if (weight > allowance.megapixels || isLong()) return { megapixels: weight }
  const image = await openImage(source, header, target)
  try {
    return await study.examine(image, params, others)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError((await decodes(image)) ? 'conversion_failed' : 'invalid_image', { cause })
  }
}
