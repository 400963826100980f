import {
  BrokenCircuitError,
  BulkheadRejectedError,
  bulkhead,
  ConsecutiveBreaker,
  circuitBreaker,
  DelegateBackoff,
  handleWhen,
  retry,
  TaskCancelledError,
  TimeoutStrategy,
  timeout,
  wrap,
} from 'cockatiel'
import { type FaultKind, ProviderFault } from './provider-fault.ts'

/** How much a service is asked at once, and what it may do before it is left alone. */
export interface GuardLimits {
  /** Requests at once, and those that wait for their turn. */
  readonly atOnce: number
  readonly waiting: number
  /** Failures in a row after which it is left alone. */
  readonly failures: number
  /** Milliseconds for which it is. */
  readonly pauseMs: number
  /** Milliseconds before the second and the third try, give or take a half. */
  readonly waitsMs: readonly number[]
}

export const usualLimits: GuardLimits = { atOnce: 4, waiting: 16, failures: 5, pauseMs: 30_000, waitsMs: [250, 1_000] }

export interface Guards {
  /**
   * Tries, and tries again what may pass, until the budget is spent.
   * @param attempt throws ProviderFault; its signal aborts when the time is up or nobody waits any more
   * @throws ProviderFault; the signal's reason once that aborts
   */
  run<Value>(attempt: (signal: AbortSignal) => Promise<Value>, budgetMs: number, signal: AbortSignal): Promise<Value>
}

export interface GuardEvents {
  /** One try ended so, after so many seconds. */
  onTry(outcome: 'ok' | FaultKind, seconds: number): void
  /** The service is left alone for a while, and why. */
  onPause(last: ProviderFault): void
}

export function guards(limits: GuardLimits, { onTry, onPause }: GuardEvents): Guards {
  const { atOnce, waiting, failures, pauseMs, waitsMs } = limits
  const turns = bulkhead(atOnce, waiting)
  const breaker = circuitBreaker(handleWhen(isDown), { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failures) })
  breaker.onBreak((why) => {
    if ('error' in why && why.error instanceof ProviderFault) onPause(why.error)
  })
  return {
    async run(attempt, budgetMs, signal) {
      const until = performance.now() + budgetMs
      const left = (fault: ProviderFault) => until - performance.now() - (fault.retryAfterSeconds ?? 0) * 1_000
      const again = retry(
        handleWhen((error) => error instanceof ProviderFault && error.passes && left(error) > 0),
        { maxAttempts: waitsMs.length, backoff: backoff(waitsMs) },
      )
      // Who waits for another try gives up the turn meanwhile.
      const policy = wrap(timeout(budgetMs, TimeoutStrategy.Aggressive), again, turns, breaker)
      try {
        return await policy.execute((context) => timed(attempt, onTry, context.signal, signal), signal)
      } catch (error) {
        if (signal.aborted) throw signal.reason
        throw asFault(error)
      }
    },
  }
}

const isDown = (error: unknown): boolean => error instanceof ProviderFault && error.isDown

/** What the service asks for counts more than what is usual here. */
const backoff = (waitsMs: readonly number[]) =>
  new DelegateBackoff<{ readonly attempt: number; readonly result: unknown }>(({ attempt, result }) => {
    const error = typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined
    const asked = error instanceof ProviderFault ? error.retryAfterSeconds : undefined
    // Requests that failed together are not to come back together.
    return asked === undefined ? (waitsMs[attempt - 1] ?? 0) * (0.5 + Math.random()) : asked * 1_000
  })

/** Tells the time that is up, which counts against the service, from the caller who left, who does not. */
async function timed<Value>(
  attempt: (signal: AbortSignal) => Promise<Value>,
  onTry: GuardEvents['onTry'],
  signal: AbortSignal,
  callers: AbortSignal,
): Promise<Value> {
  const began = performance.now()
  const seconds = () => (performance.now() - began) / 1_000
  try {
    const value = await attempt(signal)
    onTry('ok', seconds())
    return value
  } catch (error) {
    const why = signal.aborted && !callers.aborted ? timeIsUp() : error
    if (why instanceof ProviderFault) onTry(why.kind, seconds())
    throw why
  }
}

export const LEFT_ALONE = 'it is left alone for a while'

const timeIsUp = () => new ProviderFault('timeout', 'no answer in time')

function asFault(error: unknown): unknown {
  if (error instanceof TaskCancelledError) return timeIsUp()
  if (error instanceof BrokenCircuitError) return new ProviderFault('skipped', LEFT_ALONE)
  if (error instanceof BulkheadRejectedError) return new ProviderFault('skipped', 'too many wait for it')
  return error
}
