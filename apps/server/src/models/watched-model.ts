import { RendererEnd } from '@pixelmill/engine/rendering/renderer-process'
import { isRefusal } from '../contract/api-error.ts'

/** The state of a model: loading until its trial ends; then ready with what the trial found, or failed with the reason. */
export type ModelState<Facts> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly facts: Facts }
  | { readonly state: 'failed'; readonly why: string }

/** A model cannot be used, in general or for this picture; the message is for the log. */
export class ModelUnavailable extends Error {
  override readonly name = 'ModelUnavailable'
}

/** A model that is tested at the start, and again after it has failed. */
export interface WatchedModel<Facts> {
  state(): ModelState<Facts>
  /**
   * Does some work with the model, after its trial has succeeded.
   * @throws ModelUnavailable; ApiError if the image is at fault; the signal's reason once that aborts
   */
  use<Result>(work: (facts: Facts) => Promise<Result>, signal: AbortSignal): Promise<Result>
  /** Aborts a running trial. */
  close(): void
}

export interface WatchSettings {
  readonly timeoutSeconds: number
  /** Seconds after a failed trial before the next one may start. */
  readonly againSeconds?: number
}

/** The cause, such as a lack of memory, may be temporary. */
const AGAIN_SECONDS = 60

/** @param trial runs the model on a small picture */
export function watchModel<Facts>(
  trial: (signal: AbortSignal) => Promise<Facts>,
  { timeoutSeconds, againSeconds = AGAIN_SECONDS }: WatchSettings,
  onState: (state: ModelState<Facts>) => void,
): WatchedModel<Facts> {
  const closing = new AbortController()
  let state: ModelState<Facts> = { state: 'loading' }
  let triedAt = 0
  let trying = attempt()

  async function attempt(): Promise<void> {
    state = { state: 'loading' }
    // Asynchronously, so that the caller has the model before its state changes.
    await Promise.resolve()
    state = await trial(closing.signal).then(
      (facts) => ({ state: 'ready', facts }) as const,
      (error: unknown) => ({ state: 'failed', why: whyOf(error, timeoutSeconds) }) as const,
    )
    triedAt = performance.now()
    if (!closing.signal.aborted) onState(state)
  }
  /** Starts another trial unless one is running. */
  function tryAgain(): void {
    if (state.state !== 'loading') trying = attempt()
  }
  async function working(signal: AbortSignal): Promise<Facts> {
    if (state.state === 'failed' && performance.now() - triedAt > againSeconds * 1000) tryAgain()
    else await unlessAborted(trying, signal)
    if (state.state === 'ready') return state.facts
    throw new ModelUnavailable(state.state === 'failed' ? state.why : 'its trial is being repeated')
  }

  return {
    state: () => state,
    async use(work, signal) {
      const facts = await working(signal)
      try {
        return await work(facts)
      } catch (error) {
        if (!isRefusal(error)) throw error
        if (error.code === 'server_busy') throw new ModelUnavailable('it is busy', { cause: error })
        if (error.code !== 'conversion_failed') throw error
        // A renderer that ended because the request was aborted says nothing about the model.
        signal.throwIfAborted()
        tryAgain()
        throw new ModelUnavailable(whyOf(error, timeoutSeconds), { cause: error })
      }
    },
    close: () => closing.abort(),
  }
}

async function unlessAborted(work: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.addEventListener('abort', abort, { once: true })
  try {
    signal.throwIfAborted()
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

/** A reason without paths, since it is public at /readyz. */
function whyOf(error: unknown, timeoutSeconds: number): string {
  const cause = isRefusal(error) ? error.cause : error
  // The renderer's own message.
  if (typeof cause === 'string') return cause
  if (!(cause instanceof RendererEnd)) return 'it could not be tried'
  if (cause.reason === 'timeout') return `it did not answer within ${timeoutSeconds} s`
  if (cause.reason === 'memory') return 'MODEL_MEMORY_MB is not enough for it'
  return `its renderer ended: ${cause.reason}`
}
