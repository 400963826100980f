import { setTimeout as sleep } from 'node:timers/promises'
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

export interface GuardEvents {
  /** Called after each attempt. */
  onTry(outcome: 'ok' | FaultKind, seconds: number): void
  /** The circuit has opened. */
  onPause(last: ProviderFault): void
}

type Attempt<Value> = (signal: AbortSignal) => Promise<Value>

/** Retries of a service's transient failures, and the circuit breaker that spares it while it is down. */
export class Guards {
  readonly #limits: GuardLimits
  readonly #onTry: GuardEvents['onTry']
  readonly #circuit: Circuit

  constructor(limits: GuardLimits, { onTry, onPause }: GuardEvents) {
    this.#limits = limits
    this.#onTry = onTry
    this.#circuit = new Circuit(limits, onPause)
  }

  /**
   * Attempts, and retries transient failures, until the budget is spent.
   * @param attempt throws ProviderFault; its signal aborts at the time-out, or when the caller has left
   * @throws ProviderFault; the signal's reason once that aborts
   */
  async run<Value>(attempt: Attempt<Value>, budgetMs: number, signal: AbortSignal): Promise<Value> {
    const until = performance.now() + budgetMs
    const ends = AbortSignal.any([signal, AbortSignal.timeout(budgetMs)])
    try {
      for (const waitMs of this.#limits.waitsMs) {
        try {
          return await this.#circuit.run(() => this.#timeAttempt(attempt, ends, signal))
        } catch (error) {
          if (!isWorthRetry(error, until)) throw error
          await sleep(pauseBefore(waitMs, error), undefined, { signal: ends })
        }
      }
      return await this.#circuit.run(() => this.#timeAttempt(attempt, ends, signal))
    } catch (error) {
      if (signal.aborted) throw signal.reason
      throw ends.aborted && !(error instanceof ProviderFault) ? timeIsUp() : error
    }
  }

  /** A time-out counts against the service; a caller who left does not. */
  async #timeAttempt<Value>(attempt: Attempt<Value>, ends: AbortSignal, caller: AbortSignal): Promise<Value> {
    const began = performance.now()
    const seconds = () => (performance.now() - began) / 1_000
    try {
      ends.throwIfAborted()
      const value = await attempt(ends)
      this.#onTry('ok', seconds())
      return value
    } catch (error) {
      const why = ends.aborted && !caller.aborted ? timeIsUp() : error
      if (why instanceof ProviderFault) this.#onTry(why.kind, seconds())
      throw why
    }
  }
}

function isWorthRetry(error: unknown, until: number): error is ProviderFault {
  if (!(error instanceof ProviderFault) || !error.isTransient) return false
  return until - performance.now() - (error.retryAfterSeconds ?? 0) * 1_000 > 0
}

/** The service's Retry-After overrides our own waits, which vary so that requests that failed together do not come back together. */
const pauseBefore = (waitMs: number, { retryAfterSeconds }: ProviderFault): number =>
  retryAfterSeconds === undefined ? waitMs * (0.5 + Math.random()) : retryAfterSeconds * 1_000

export const PAUSED = 'it is not called for a while'

/** After failures in a row a service is not called for a while; then one request tries whether it works again. */
class Circuit {
  readonly #limits: GuardLimits
  readonly #onPause: GuardEvents['onPause']
  #failuresInRow = 0
  #closesAt = 0
  /** Ends with the request that tries the service after a pause; the others wait for its outcome. */
  #trial: Promise<void> | undefined

  constructor(limits: GuardLimits, onPause: GuardEvents['onPause']) {
    this.#limits = limits
    this.#onPause = onPause
  }

  async run<Value>(attempt: () => Promise<Value>): Promise<Value> {
    while (this.#trial) await this.#trial
    if (this.#failuresInRow < this.#limits.failures) return await this.#observe(attempt)
    if (performance.now() < this.#closesAt) throw new ProviderFault('skipped', PAUSED)
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#trial = promise
    try {
      return await this.#observe(attempt)
    } finally {
      this.#trial = undefined
      resolve()
    }
  }

  async #observe<Value>(attempt: () => Promise<Value>): Promise<Value> {
    const isTrial = this.#trial !== undefined
    try {
      const value = await attempt()
      // What was begun before the circuit opened does not close it.
      if (isTrial || this.#failuresInRow < this.#limits.failures) this.#failuresInRow = 0
      return value
    } catch (error) {
      if (error instanceof ProviderFault && error.isDown) this.#fail(error)
      else if (isTrial) this.#failuresInRow = 0
      throw error
    }
  }

  #fail(fault: ProviderFault): void {
    const wasOpen = performance.now() < this.#closesAt
    this.#failuresInRow++
    if (this.#failuresInRow < this.#limits.failures || wasOpen) return
    this.#closesAt = performance.now() + this.#limits.pauseMs
    this.#onPause(fault)
  }
}

const timeIsUp = () => new ProviderFault('timeout', 'no answer in time')
