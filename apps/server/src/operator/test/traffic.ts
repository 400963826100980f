import assert from 'node:assert/strict'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { accountTotals } from '../../../test/support/account-totals.ts'
import { caller } from '../../../test/support/call.ts'
import type { Database } from '../../database/database.ts'
import { findMismatches } from '../../metering/ledger.ts'

/** Calls with one key, one after the other, until it is stopped. */
export interface Traffic {
  /** Answers so far. */
  acknowledged(): number
  stop(): Promise<void>
}

const MOST_CALLS = 10_000

export async function keepConverting(at: { readonly url: string; readonly key: string }): Promise<Traffic> {
  const image = await photo(60, 40).jpeg().toBuffer()
  let acknowledgedCount = 0
  let stopping = false
  const calls = async () => {
    for (let call = 0; call < MOST_CALLS && !stopping; call++) {
      const { status } = await caller(at).post('convert', { format: 'png' }, { image })
      assert.equal(status, 200)
      acknowledgedCount++
    }
  }
  const lane = calls()
  return {
    acknowledged: () => acknowledgedCount,
    async stop() {
      stopping = true
      await lane
    },
  }
}

/** The calls that an account has paid with credits, in books that add up and have nothing open. */
export async function paidCalls(database: Database, account: string, grantedCount: number): Promise<number> {
  assert.deepEqual(await findMismatches(database), [])
  const { credits, booked, reserved, open } = await accountTotals(database, account)
  assert.deepEqual({ booked, reserved, open }, { booked: credits, reserved: 0, open: 0 })
  return grantedCount - credits
}
