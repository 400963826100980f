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

export function meteredCall<Reserved extends Reservation>(
  { reservation, allowance: admittedAllowance }: Admitted<Reserved>,
  calls: Settlements<Reserved>,
): MeteredCall {
  let state: State = 'reserved'
  let allowance = admittedAllowance
  let reservedCount = 1
  let last: Promise<void> = Promise.resolve()
  // A client may disconnect while its call is being settled: each step waits for the previous one.
  const inTurn = (step: () => Promise<void>) => {
    last = last.then(step, step)
    return last
  }

  const isVoid = () => new ApiError('internal_error', { cause: new Error(`reservation ${reservation.id} was void`) })

  function wasGivenBack(): void {
    state = 'given back'
    allowance = withGivenBack(allowance, reservedCount)
  }

  async function widen(to: number): Promise<void> {
    if (to === reservedCount || state !== 'reserved') return
    if (!calls.widen) throw new Error('this kind of call cannot be several')
    const { month, credits } = allowance
    const { verdict, remaining } = await calls.widen(reservation, to, month?.limit ?? null)
    if (verdict === 'reservation_is_void') throw isVoid()
    if (verdict !== 'ok') {
      const left = Number(remaining) + reservedCount
      const message = `The answer has ${to} images, each of which is a call, and ${left} ${credits ? 'credits' : "of this month's calls"} are left.`
      throw new ApiError(verdict, { message, ...(month && { retryAfterSeconds: month.endsInSeconds }) })
    }
    reservedCount = to
    allowance = withLeft(allowance, remaining)
  }

  async function settle(): Promise<void> {
    // The client has disconnected meanwhile: there is nothing to deliver.
    if (state !== 'reserved') return
    state = 'unknown'
    const { settled, creditsLeft } = await calls.settle(reservation, reservedCount)
    if (!settled) {
      wasGivenBack()
      throw isVoid()
    }
    state = 'settled'
    if (allowance.credits && creditsLeft !== null) allowance = withLeft(allowance, creditsLeft)
  }

  async function giveBack(): Promise<void> {
    if (state === 'given back' || state === 'handed over') return
    const wasVoided = state !== 'settled' && (await calls.voidReservation(reservation))
    // For a month it is unknown why the reservation is gone; for credits the ledger shows it.
    if (!wasVoided && (state === 'settled' || reservation.month === null)) {
      // If the connection breaks, it may have been committed: only a credit can safely be refunded again.
      state = 'unknown'
      await calls.refund(reservation, reservedCount)
    }
    wasGivenBack()
  }

  return {
    reservation,
    allowance: () => allowance,
    widen: (to) => inTurn(() => widen(to)),
    settle: () => inTurn(settle),
    async giveBack() {
      try {
        await inTurn(giveBack)
      } catch (error) {
        calls.later(() => inTurn(giveBack))
        throw error
      }
    },
    handOver(left) {
      state = 'handed over'
      allowance = withLeft(admittedAllowance, left)
    },
    isCharged: () => state === 'settled',
  }
}
