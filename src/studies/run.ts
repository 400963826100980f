import { codecs } from '../codecs/index.ts'
import { ApiError } from '../contract/api-error.ts'
import { megapixels, readHeader } from '../image/header.ts'
import { decodes, framesFor, openImage } from '../image/open.ts'
import { decodingSeconds } from '../operations/estimate.ts'
import { type Allowance, type TooHeavy, weightOf } from '../operations/run.ts'
import { type StudyName, studies } from './index.ts'
import type { Examined, Study } from './study.ts'

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
