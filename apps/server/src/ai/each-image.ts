import { semaphore } from '@pixelmill/engine/concurrency/fair-queue'
import { isRefusal, type Refusal } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { AiError, type AiFailure } from './client/ai-error.ts'

/** Why one of several images failed; `kind` with ai_provider_error. */
export interface ImageError {
  readonly code: ErrorName
  readonly message: string
  readonly kind?: string
}

export type ImageResult<Result> =
  | ({ readonly index: number; readonly status: 'ok' } & Result)
  | { readonly index: number; readonly status: 'error'; readonly error: ImageError }

/** The results of several images, in the order of the images. */
export interface ImageResults<Result> {
  readonly results: readonly ImageResult<Result>[]
  readonly summary: { readonly total: number; readonly succeeded: number; readonly failed: number }
}

/** Images of one request that are processed at once. */
const AT_ONCE = 8

/** Failures that every other image of the request would meet too. */
const stopping: readonly AiFailure[] = ['address', 'auth', 'quota', 'model_not_found']

const stops = ({ cause }: Refusal): boolean => cause instanceof AiError && stopping.includes(cause.kind)

/**
 * Works on every image, a few at once. A refusal fails its image alone, unless all others would fail in the same way.
 * @throws the first image's error when none succeeded; at once whatever is no refusal; the signal's reason once that aborts
 */
export async function eachImage<Image, Result extends object>(
  images: readonly Image[],
  signal: AbortSignal,
  work: (image: Image, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<ImageResults<Result>> {
  // Stops the others: the first failure that all of them would meet.
  const halt = new AbortController()
  const either = AbortSignal.any([signal, halt.signal])
  const limitedResult = semaphore(AT_ONCE)

  async function workOn(image: Image, index: number): Promise<Result | Refusal> {
    try {
      either.throwIfAborted()
      return await work(image, index, either)
    } catch (error) {
      const why = either.aborted ? either.reason : error
      if (!isRefusal(why) || stops(why)) halt.abort(why)
      if (isRefusal(why) && !signal.aborted) return why
      throw why
    }
  }

  // All have ended before anything is thrown, so that no work goes on behind an answer.
  const ends = await Promise.allSettled(images.map((image, index) => limitedResult(() => workOn(image, index))))
  signal.throwIfAborted()
  return inOrder(
    ends.map((end) => {
      if (end.status === 'rejected') throw end.reason
      return end.value
    }),
  )
}

function inOrder<Result extends object>(doneErrors: readonly (Result | Refusal)[]): ImageResults<Result> {
  const failedRefusals = doneErrors.filter((one) => isRefusal(one))
  if (failedRefusals[0] && failedRefusals.length === doneErrors.length) throw failedRefusals[0]
  return {
    results: doneErrors.map((one, index) =>
      isRefusal(one) ? { index, status: 'error', error: asImageError(one) } : { index, status: 'ok', ...one },
    ),
    summary: { total: doneErrors.length, succeeded: doneErrors.length - failedRefusals.length, failed: failedRefusals.length },
  }
}

const asImageError = ({ code, message, facts }: Refusal): ImageError => ({
  code,
  message,
  ...(typeof facts?.kind === 'string' && { kind: facts.kind }),
})
