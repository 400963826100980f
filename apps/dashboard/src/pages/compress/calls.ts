import { ApiFailure, asFailure, isAbort } from '../../api/api-failure.ts'
import { sendImage } from '../playground/send-image.ts'
import { type Card, type CardResult, extensionOf, isForBrowsers, withExtension } from './card.svelte.ts'
import { type CompressSettings, fingerprintOf, requestOf } from './settings.ts'

/** A server has as many renderers as processors; the third is uploaded meanwhile. */
const AT_ONCE = 3
/** Times that a call is sent again while the server cannot take it. */
const MOST_TRIES = 30
const PAUSE_S = 2
/** Every further call would fail as well. */
const ENDS_ALL = ['monthly_limit_exceeded', 'insufficient_credits', 'api_access_not_available', 'account_blocked']

interface Run {
  readonly settings: CompressSettings
  readonly signal: AbortSignal
  /** A call was answered. @param callsLeft calls of the month or credits; undefined if unlimited */
  onanswer(card: Card, callsLeft: number | undefined): void
}

/**
 * Compresses cards by single calls, a few at once. Cards that cannot be read fail on their own.
 * @throws ApiFailure for what ends all calls, such as a used-up month: cards that were not done are `ready` again; AbortError
 */
export async function runCalls(cards: readonly Card[], run: Run): Promise<void> {
  const queue = [...cards]
  const end = new AbortController()
  const signal = AbortSignal.any([run.signal, end.signal])
  let failure: ApiFailure | undefined
  async function work(): Promise<void> {
    for (let card = queue.shift(); card && !signal.aborted; card = queue.shift()) {
      try {
        await callFor(card, { ...run, signal })
      } catch (error) {
        if (isAbort(error)) return
        const reason = asFailure(error)
        if (!ENDS_ALL.includes(reason.code)) card.fail(reason)
        else if (!failure) {
          failure = reason
          end.abort()
        }
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  run.signal.throwIfAborted()
  if (!failure) return
  for (const card of cards) if (card.state === 'waiting' || card.state === 'working') card.state = 'ready'
  throw failure
}

/** @throws ApiFailure; AbortError */
async function callFor(card: Card, { settings, signal, onanswer }: Run): Promise<void> {
  const { path, params } = requestOf(settings)
  for (let tries = 1; ; tries++) {
    card.state = 'working'
    try {
      const { blob, fileName, callsLeft } = await sendImage(path, { image: card.file }, params, signal)
      signal.throwIfAborted()
      card.finish(fingerprintOf(settings), resultOf(card, settings, blob, extensionOf(fileName)))
      onanswer(card, callsLeft)
      return
    } catch (error) {
      const canWait = error instanceof ApiFailure && (error.code === 'rate_limited' || error.isTemporary)
      if (!canWait || tries >= MOST_TRIES) throw error
      card.state = 'waiting'
      await pause((error.retryAfterSeconds ?? PAUSE_S) * 1000, signal)
    }
  }
}

/** What is kept of an answer: where no size was asked for and the format is ours to choose, the file as it came if it is smaller. */
export function resultOf(
  card: Card,
  settings: CompressSettings,
  blob: Blob | undefined,
  extension: string,
  bytes = blob?.size ?? 0,
): CardResult {
  const mayStay =
    settings.longestSide === undefined && (settings.format === 'same' || (settings.format === 'best' && isForBrowsers(card.path)))
  return mayStay && bytes >= card.file.size
    ? { blob: card.file, bytes: card.file.size, path: card.path, extension: extensionOf(card.path), isOriginal: true }
    : { blob, bytes, path: withExtension(card.path, extension), extension, isOriginal: false }
}

/** @throws AbortError as soon as the signal is aborted */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const clock = setTimeout(resolve, ms)
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(clock)
        reject(signal.reason)
      },
      { once: true },
    )
  })
}
