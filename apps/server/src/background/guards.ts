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

/** Concurrency, retries and circuit breaker of a service. */
export interface GuardLimits {
  /** Concurrent requests, and how many more may wait. */
  readonly atOnce: number
  readonly waiting: number
  /** Failures in a row that open the circuit. */
  readonly failures: number
  /** Milliseconds for which the circuit stays open. */
  readonly pauseMs: number
  /** Milliseconds before the second and the third attempt, ± 50 %. */
  readonly waitsMs: readonly number[]
}

export const usualLimits: GuardLimits = { atOnce: 4, waiting: 16, failures: 5, pauseMs: 30_000, waitsMs: [250, 1_000] }

export interface Guards {
  /**
   * Attempts, and retries transient failures, until the budget is spent.
   * @param attempt throws ProviderFault; its signal aborts at the time-out, or when the caller has left
   * @throws ProviderFault; the signal's reason once that aborts
   */
  run<Value>(attempt: (signal: AbortSignal) => Promise<Value>, budgetMs: number, signal: AbortSignal): Promise<Value>
}

export interface GuardEvents {
  /** Called after each attempt. */
  onTry(outcome: 'ok' | FaultKind, seconds: number): void
  /** The circuit has opened. */
  onPause(last: ProviderFault): void
}

export function guards(limits: GuardLimits, { onTry, onPause }: GuardEvents): Guards {
  const { atOnce, waiting, failures, pauseMs, waitsMs } = limits
  const concurrency = bulkhead(atOnce, waiting)
  const breaker = circuitBreaker(handleWhen(isDown), { halfOpenAfter: pauseMs, breaker: new ConsecutiveBreaker(failures) })
  breaker.onBreak((why) => {
    if ('error' in why && why.error instanceof ProviderFault) onPause(why.error)
  })
  return {
    async run(attempt, budgetMs, signal) {
      const until = performance.now() + budgetMs
      const left = (fault: ProviderFault) => until - performance.now() - (fault.retryAfterSeconds ?? 0) * 1_000
      const again = retry(
        handleWhen((error) => error instanceof ProviderFault && error.isTransient && left(error) > 0),
        { maxAttempts: waitsMs.length, backoff: backoff(waitsMs) },
      )
      // A request gives up its place while it waits for its retry.
      const policy = wrap(timeout(budgetMs, TimeoutStrategy.Aggressive), again, concurrency, breaker)
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

/** The service's Retry-After overrides our own waits. */
const backoff = (waitsMs: readonly number[]) =>
  new DelegateBackoff<{ readonly attempt: number; readonly result: unknown }>(({ attempt, result }) => {
    const error = typeof result === 'object' && result !== null && 'error' in result ? result.error : undefined
    const asked = error instanceof ProviderFault ? error.retryAfterSeconds : undefined
    // Jitter, so that requests that failed together do not come back together.
    return asked === undefined ? (waitsMs[attempt - 1] ?? 0) * (0.5 + Math.random()) : asked * 1_000
  })

/** A time-out counts against the service; a caller who left does not. */
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

export const PAUSED = 'it is not called for a while'

const timeIsUp = () => new ProviderFault('timeout', 'no answer in time')

function asFault(error: unknown): unknown {
  if (error instanceof TaskCancelledError) return timeIsUp()
  if (error instanceof BrokenCircuitError) return new ProviderFault('skipped', PAUSED)
  if (error instanceof BulkheadRejectedError) return new ProviderFault('skipped', 'too many wait for it')
  return error
}
