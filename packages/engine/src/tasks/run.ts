import { codecs } from '@pixelmill/codecs'
import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { megapixels, readHeader } from '@pixelmill/codecs/pixels/header'
import { decodes, framesFor, openImage } from '@pixelmill/codecs/pixels/open'
import type { Programs } from '@pixelmill/codecs/programs'
import { checkWork, estimate } from './estimate.ts'
import { type TaskName, tasks } from './index.ts'
import type { Task, TaskResult } from './task.ts'

/** A request to a renderer about its files; the parameters were checked. */
export interface TaskCall {
  readonly task: TaskName
  readonly params: Readonly<Record<string, unknown>>
}

/** Limits of work without asking. */
export interface Allowance {
  readonly megapixels: number
  /** Estimated seconds; unlimited by default. */
  readonly seconds?: number | undefined
}

/** The picture is heavier than allowed, or its work longer; nothing was decoded. */
export interface TooHeavy {
  readonly megapixels: number
}

const NO_BYTES = Buffer.alloc(0)

/**
 * Header → plan → weight → pixels. The weight is the larger of the decoded and the encoded size. Work beyond the limits is
 * returned, so that the pool can wait for memory, or run it in another lane.
 * @throws ApiError for the caller's errors, conversion_failed for ours
 */
export async function run(
  { task: name, params }: TaskCall,
  [source = NO_BYTES, ...others]: readonly Buffer[],
  allowance: Allowance,
  programs: Programs,
): Promise<TaskResult | TooHeavy> {
  const task: Task = tasks[name]
  const header = await readHeader(source)
  const seen = task.look?.(header, source, params)
  if (seen) return seen
  const plan = task.plan?.(header, params, programs)
  // The format only decides whether all frames are opened.
  const target = plan?.opened ?? (task.moves ? codecs.webp : codecs.png)
  const frames = framesFor(header, target)
  const decoded = megapixels(header.width, header.height, frames)
  const own = Math.max(decoded, plan?.megapixels ?? 0, task.weigh?.(header, params) ?? 0)
  const weights = await Promise.all(others.map(weightOf))
  const weight = Math.max(own, ...weights)
  const { seconds = Number.POSITIVE_INFINITY } = allowance
  const known = { header, frames, weight, bytes: source.length, others: weights }
  if (plan) checkWork(plan, known)
  const isLong = () => estimate(plan, known) > seconds
  if (weight > allowance.megapixels || isLong()) return { megapixels: weight }
  const image = await openImage(source, header, target, plan?.outputs[0]?.asked.icc)
  try {
    return await task.run(image, params, others, plan)
  } catch (cause) {
    if (cause instanceof ApiError) throw cause
    throw new ApiError((await decodes(image)) ? 'conversion_failed' : 'invalid_image', { cause })
  }
}

/** Megapixels of a further file; an unreadable one weighs nothing, and is refused when it is used. */
const weightOf = (bytes: Buffer): Promise<number> =>
  readHeader(bytes).then(
    ({ width, height }) => megapixels(width, height, 1),
    () => 0,
  )
