import { type Allowance, withGivenBack, withLeft } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Admitted, Reservation, Settlements } from './admission-result.ts'

/**
 * One admitted call from its reservation to its end: charged, or given back. The database counts the call: admit_call.sql takes one
 * of the month or reserves a credit, charge_call.sql takes the credit. http/serve-route.ts calls `settle` before it sends the answer.
 */
export interface MeteredCall {
  readonly reservation: Reservation
  /** The caller's remaining allowance. */
  allowance(): Allowance
  /**
   * Makes it several calls, for an answer with as many images.
   * @throws ApiError monthly_limit_exceeded, insufficient_credits; internal_error if the reservation was given back meanwhile
   */
  widen(calls: number): Promise<void>
  /**
   * Charges the call when its answer is ready to be sent.
   * @throws ApiError internal_error if the reservation was given back meanwhile: no answer is delivered unpaid
   */
  settle(): Promise<void>
  /**
   * Gives the call back, since the answer is an error or the client has disconnected. May be called at any time and more than
   * once; failures are retried later.
   */
  giveBack(): Promise<void>
  /**
   * From now on other work, such as a batch, is responsible for the reservation: settling or giving back does nothing any more.
   * @param left remaining calls of the month or credits; null is unlimited
   */
  handOver(left: number | null): void
  /** Whether its own answer was charged. A call that was handed over, or that repeats an earlier answer, does not count. */
  isCharged(): boolean
}

/** Unknown if the connection broke while settling: it may have been committed. */
type State = 'reserved' | 'unknown' | 'settled' | 'given back' | 'handed over'

export const meteredCall = <Reserved extends Reservation>(
  admittedCall: Admitted<Reserved>,
  calls: Settlements<Reserved>,
): MeteredCall => new ReservedCall(admittedCall, calls)

class ReservedCall<Reserved extends Reservation> implements MeteredCall {
  readonly reservation: Reserved
  readonly #calls: Settlements<Reserved>
  readonly #admittedAllowance: Allowance
  #allowance: Allowance
  #state: State = 'reserved'
  #reservedCount = 1
  #lastStep: Promise<void> = Promise.resolve()

  constructor({ reservation, allowance }: Admitted<Reserved>, calls: Settlements<Reserved>) {
    this.reservation = reservation
    this.#calls = calls
    this.#admittedAllowance = allowance
    this.#allowance = allowance
  }

  allowance(): Allowance {
    return this.#allowance
  }

  widen(calls: number): Promise<void> {
    return this.#inTurn(() => this.#widen(calls))
  }

  settle(): Promise<void> {
    return this.#inTurn(() => this.#settle())
  }

  async giveBack(): Promise<void> {
    const giveBackInTurn = () => this.#inTurn(() => this.#giveBack())
    try {
      await giveBackInTurn()
    } catch (error) {
      this.#calls.later(giveBackInTurn)
      throw error
    }
  }

  handOver(left: number | null): void {
    this.#state = 'handed over'
    this.#allowance = withLeft(this.#admittedAllowance, left)
  }

  isCharged(): boolean {
    return this.#state === 'settled'
  }

  /** A client may disconnect while its call is being settled: each step waits for the previous one. */
  #inTurn(step: () => Promise<void>): Promise<void> {
    this.#lastStep = this.#lastStep.then(step, step)
    return this.#lastStep
  }

  async #widen(to: number): Promise<void> {
    if (to === this.#reservedCount || this.#state !== 'reserved') return
    if (!this.#calls.widen) throw new Error('this kind of call cannot be several')
    const { month, credits } = this.#allowance
    const { verdict, remaining } = await this.#calls.widen(this.reservation, to, month?.limit ?? null)
    if (verdict === 'reservation_is_void') throw this.#isVoid()
    if (verdict !== 'ok') {
      const left = Number(remaining) + this.#reservedCount
      const message = `The answer has ${to} images, each of which is a call, and ${left} ${credits ? 'credits' : "of this month's calls"} are left.`
      throw new ApiError(verdict, { message, ...(month && { retryAfterSeconds: month.endsInSeconds }) })
    }
    this.#reservedCount = to
    this.#allowance = withLeft(this.#allowance, remaining)
  }

  async #settle(): Promise<void> {
    // The client has disconnected meanwhile: there is nothing to deliver.
    if (this.#state !== 'reserved') return
    this.#state = 'unknown'
    const { settled, creditsLeft } = await this.#calls.settle(this.reservation, this.#reservedCount)
    if (!settled) {
      this.#wasGivenBack()
      throw this.#isVoid()
    }
    this.#state = 'settled'
    if (this.#allowance.credits && creditsLeft !== null) this.#allowance = withLeft(this.#allowance, creditsLeft)
  }

  async #giveBack(): Promise<void> {
    if (this.#state === 'given back' || this.#state === 'handed over') return
    const wasVoided = this.#state !== 'settled' && (await this.#calls.voidReservation(this.reservation))
    // For a month it is unknown why the reservation is gone; for credits the ledger shows it.
    if (!wasVoided && (this.#state === 'settled' || this.reservation.month === null)) {
      // If the connection breaks, it may have been committed: only a credit can safely be refunded again.
      this.#state = 'unknown'
      await this.#calls.refund(this.reservation, this.#reservedCount)
    }
    this.#wasGivenBack()
  }

  #wasGivenBack(): void {
    this.#state = 'given back'
    this.#allowance = withGivenBack(this.#allowance, this.#reservedCount)
  }

  #isVoid(): ApiError {
    return new ApiError('internal_error', { cause: new Error(`reservation ${this.reservation.id} was void`) })
  }
}
