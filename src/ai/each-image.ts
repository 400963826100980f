import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { AiError, type AiFailure } from './client/ai-error.ts'

/** One image of several that failed: a row of the error table, and with ai_provider_error what it was. */
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

/** Images of one request that are under way at once: their copies, and the questions about them. */
const AT_ONCE = 8

/** What no other image of the request would fare better with. */
const stopping: readonly AiFailure[] = ['address', 'auth', 'quota', 'model_not_found']

const stops = ({ cause }: ApiError): boolean => cause instanceof AiError && stopping.includes(cause.kind)

/**
 * Does the work for every image, a few at once. One that fails with an ApiError fails alone, unless all others would fail alike.
 * @throws the first image's error when none succeeded; at once whatever is no ApiError; the signal's reason once that aborts
 */
export async function eachImage<Image, Result extends object>(
  images: readonly Image[],
  signal: AbortSignal,
  work: (image: Image, index: number, signal: AbortSignal) => Promise<Result>,
): Promise<ImageResults<Result>> {
  const done: (Result | ApiError)[] = []
  // What ends the others: the first of their troubles that is everybody's.
  const halt = new AbortController()
  const either = AbortSignal.any([signal, halt.signal])
  let next = 0

  async function workOn(index: number, image: Image): Promise<Result | ApiError> {
    try {
      either.throwIfAborted()
      return await work(image, index, either)
    } catch (error) {
      const why = either.aborted ? either.reason : error
      if (!(why instanceof ApiError) || stops(why)) halt.abort(why)
      if (why instanceof ApiError && !signal.aborted) return why
      throw why
    }
  }
  async function workOff(): Promise<void> {
    for (let index = next++; index < images.length; index = next++) {
      const image = images[index]
      if (image !== undefined) done[index] = await workOn(index, image)
    }
  }

  // All have ended before anything is thrown: nothing goes on behind an answer.
  const ends = await Promise.allSettled(Array.from({ length: Math.min(AT_ONCE, images.length) }, workOff))
  signal.throwIfAborted()
  for (const end of ends) if (end.status === 'rejected') throw end.reason
  return inOrder(done)
}

function inOrder<Result extends object>(done: readonly (Result | ApiError)[]): ImageResults<Result> {
  const failed = done.filter((one) => one instanceof ApiError)
  if (failed[0] && failed.length === done.length) throw failed[0]
  return {
    results: done.map((one, index) =>
      one instanceof ApiError ? { index, status: 'error', error: asImageError(one) } : { index, status: 'ok', ...one },
    ),
    summary: { total: done.length, succeeded: done.length - failed.length, failed: failed.length },
  }
}

const asImageError = ({ code, message, facts }: ApiError): ImageError => ({
  code,
  message,
  ...(typeof facts?.kind === 'string' && { kind: facts.kind }),
})
