import { type Allowance, withGivenBack, withLeft } from '../contract/allowance.ts'
import { ApiError } from '../contract/api-error.ts'
import type { Admitted, Reservation, Settlements } from './admission-result.ts'

/** One admitted call from its reservation to its end: charged, or given back. */
export interface MeteredCall {
  readonly reservation: Reservation
  /** What is left to the caller as things stand now. */
  allowance(): Allowance
  /**
   * Charges the call, when its answer is ready to be sent.
   * @throws ApiError internal_error when somebody gave the reservation back meanwhile: nothing is delivered unpaid
   */
  settle(): Promise<void>
  /** The answer is an error, or its reader has gone. May be called at any time, and more than once; what fails is tried again later. */
  giveBack(): Promise<void>
  /**
   * From now on other work answers for what was reserved, as a batch does: to settle or to give back does nothing more.
   * @param left calls of the month or credits that are left to the caller; null is unlimited
   */
  handOver(left: number | null): void
  /** Whether its own answer was charged. One that was handed over, or that repeats an earlier answer, is no call. */
  isCharged(): boolean
}

/** Unknown is what a settlement leaves whose connection broke: it may have been committed. */
type State = 'reserved' | 'unknown' | 'settled' | 'given back' | 'handed over'

export function meteredCall<Reserved extends Reservation>(
  { reservation, allowance: admitted }: Admitted<Reserved>,
  calls: Settlements<Reserved>,
): MeteredCall {
  let state: State = 'reserved'
  let allowance = admitted
  let last: Promise<void> = Promise.resolve()
  // A client may leave while its call is being settled: each step waits for the one before.
  const inTurn = (step: () => Promise<void>) => {
    last = last.then(step, step)
    return last
  }

  function wasGivenBack(): void {
    state = 'given back'
    allowance = withGivenBack(admitted, 1)
  }

  async function settle(): Promise<void> {
    // Its reader has gone in between: there is nobody to deliver to.
    if (state !== 'reserved') return
    state = 'unknown'
    const { settled, creditsLeft } = await calls.settle(reservation)
    if (!settled) {
      wasGivenBack()
      throw new ApiError('internal_error', { cause: new Error(`reservation ${reservation.id} was void`) })
    }
    state = 'settled'
    if (allowance.credits && creditsLeft !== null) allowance = withLeft(allowance, creditsLeft)
  }

  async function giveBack(): Promise<void> {
    if (state === 'given back' || state === 'handed over') return
    const wasVoided = state !== 'settled' && (await calls.voidReservation(reservation))
    // Of a month it cannot be told who took the reservation away; of credits the ledger knows.
    if (!wasVoided && (state === 'settled' || reservation.month === null)) {
      // Should the connection break, it may have been committed: only of credits may it be asked for again.
      state = 'unknown'
      await calls.refund(reservation)
    }
    wasGivenBack()
  }

  return {
    reservation,
    allowance: () => allowance,
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
      allowance = withLeft(admitted, left)
    },
    isCharged: () => state === 'settled',
  }
}
