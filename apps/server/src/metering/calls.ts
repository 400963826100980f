import { randomUUID } from 'node:crypto'
import type pg from 'pg'
import type { Allowance } from '../contract/allowance.ts'
import { type PlanName, planLimits, planNames, plans } from '../contract/plans.ts'
import type { Admitted, Reader, RefusalOfRead, Refused, Settlements, Widened } from './admission-result.ts'
import { type BurstRow, readAllowance, readBurst } from './allowance-row.ts'
import { type AdmitRow, callStatements } from './call-statements.ts'
import { retries } from './reservations.ts'
import { rulesByCaller, scopesOf, type TrialCalls } from './rules.ts'

/** A call that would be admitted. */
export interface Previewed {
  readonly verdict: 'ok'
  readonly accountId: string
}

type RefusalOfAi = 'invalid_or_revoked_api_key' | 'forbidden' | 'ai_access_denied' | 'rate_limited'

export interface AdmittedRead {
  readonly verdict: 'ok'
  readonly accountId: string
  readonly allowance: Allowance
}

export interface AdmittedAi {
  readonly verdict: 'ok'
  readonly accountId: string
  /** Null for a call with a session. */
  readonly keyId: string | null
  /** Of the key's account. */
  readonly plan: PlanName | null
  readonly allowance: Allowance
}

/** Whether trial calls may pay, or only plan and credits. */
export type Payment = 'trial too' | 'no trial'

/** Counts calls against burst, month and credits, in the database, so that it works for any number of processes. */
export interface Calls extends Settlements {
  /** Decides and reserves one call in one round trip. */
  admit(caller: Reader, payment?: Payment): Promise<Admitted | Refused>
  /** The account of the call, or the refusal by `admit`. Nothing is reserved. */
  preview(caller: Reader, payment?: Payment): Promise<Previewed | Refused>
  /** For requests that start no work: checks only key, plan and a burst limit of their own. */
  admitRead(reader: Reader): Promise<AdmittedRead | Refused<RefusalOfRead>>
  /**
   * For the AI endpoints: checks a key and whether its plan includes AI, or a session, and the burst limit; a key shares it with
   * its calls.
   */
  admitAi(caller: Reader): Promise<AdmittedAi | Refused<RefusalOfAi>>
}

/** Reading may be this many times as frequent as starting work, so that polling works. */
const READS_PER_CALL = 20

export interface CallLimits {
  /** Requests that one key may start in any 60 seconds; 0 is no limit. */
  readonly burstPerMinute: number
  /** The number of this server (`instance.ts`). */
  readonly server: number
  /** None by default. */
  readonly trialCalls?: TrialCalls
}

type ReadRow = BurstRow & {
  readonly verdict: 'ok' | RefusalOfRead
  readonly account_id: string | null
}

type AiRow = BurstRow & {
  readonly verdict: 'ok' | RefusalOfAi
  readonly account_id: string | null
  readonly key_id: string | null
  readonly plan: PlanName | null
}

/** Named, so that each connection parses and plans it once. */
const texts = {
  preview_call: `select verdict, account_id, key_id, source, month::text, call_limit, remaining, month_left, burst_left, burst_free_in
    from preview_call($1, $2, $3, $4)`,
  admit_read: 'select verdict, account_id, burst_left, burst_free_in from admit_read($1, $2, $3, $4)',
  admit_ai: 'select verdict, account_id, key_id, plan, burst_left, burst_free_in from admit_ai($1, $2, $3, $4)',
  widen_call: 'select verdict, remaining from widen_call($1, $2, $3)',
  void_reservation: 'select void_reservation($1) as voided',
  refund_call: 'select refund_call($1, $2, $3, $4)',
} as const

const callerOf = (reader: Reader): readonly [keyHash: Buffer | null, account: string | null] =>
  'keyHash' in reader ? [reader.keyHash, null] : [null, reader.accountId]

export function calls(pool: pg.Pool, { burstPerMinute, server, trialCalls }: CallLimits): Calls {
  const rulesFor = rulesByCaller(trialCalls)
  async function one<Row extends pg.QueryResultRow>(name: keyof typeof texts, values: readonly unknown[]): Promise<Row> {
    const { rows } = await pool.query<Row>({ name, text: texts[name], values: [...values] })
    const [row] = rows
    if (!row) throw new Error(`${name}() returned no row`)
    return row
  }
  async function refusalOf(row: AdmitRow, caller: Reader): Promise<Refused | undefined> {
    const { verdict, account_id: accountId, key_id: keyId } = row
    if (verdict === 'ok') return undefined
    const callRefusal = { verdict, accountId, keyId, allowance: readAllowance(row, burstPerMinute), scopes: scopesOf(caller) }
    if (verdict !== 'insufficient_credits') return callRefusal
    return { ...callRefusal, heldCredits: await heldCredits(pool, accountId) }
  }
  const statements = callStatements(pool, { server, burstPerMinute })
  const readsPerMinute = READS_PER_CALL * burstPerMinute
  const { add: later } = retries()
  const voidCall = async (id: string) => (await one<{ voided: boolean }>('void_reservation', [id])).voided
  return {
    async admit(caller, payment = 'no trial') {
      // Not the request id, which the caller may choose: references are unique in the ledger.
      const id = randomUUID()
      const [keyHash, account] = callerOf(caller)
      const row = await statements.admit({ id, keyHash, account, rules: rulesFor(caller, payment) }).catch((error) => {
        // It may have been committed, and only the answer was lost.
        later(() => voidCall(id))
        throw error
      })
      const callRefusal = await refusalOf(row, caller)
      if (callRefusal) return callRefusal
      const { account_id: accountId, key_id: keyId, month } = row
      if (accountId === null) throw new Error('admit_call() returned no account')
      return { verdict: 'ok', reservation: { id, accountId, keyId, month }, allowance: readAllowance(row, burstPerMinute) }
    },
    async preview(caller, payment = 'no trial') {
      const [keyHash, account] = callerOf(caller)
      const row = await one<AdmitRow>('preview_call', [keyHash, burstPerMinute, rulesFor(caller, payment), account])
      const callRefusal = await refusalOf(row, caller)
      if (callRefusal) return callRefusal
      if (row.account_id === null) throw new Error('preview_call() returned no account')
      return { verdict: 'ok', accountId: row.account_id }
    },
    async admitRead(reader) {
      const row = await one<ReadRow>('admit_read', [...callerOf(reader), readsPerMinute, rulesFor(reader)])
      const { verdict, account_id: accountId } = row
      const allowance = readBurst(row, 'reading', readsPerMinute)
      if (verdict !== 'ok') return { verdict, accountId, keyId: null, allowance, scopes: scopesOf(reader) }
      if (accountId === null) throw new Error('admit_read() returned no account')
      return { verdict, accountId, allowance }
    },
    async admitAi(caller) {
      const row = await one<AiRow>('admit_ai', [...callerOf(caller), burstPerMinute, rulesFor(caller)])
      const { verdict, account_id: accountId, key_id: keyId, plan } = row
      const allowance = readBurst(row, 'burst', burstPerMinute)
      if (verdict !== 'ok') return { verdict, accountId, keyId, allowance, scopes: scopesOf(caller) }
      if (accountId === null) throw new Error('admit_ai() returned no account')
      return { verdict, accountId, keyId, plan, allowance }
    },
    widen: ({ id }, calls, limit) => one<Widened & pg.QueryResultRow>('widen_call', [id, calls, limit]),
    settle: ({ id, accountId }, calls = 1) => statements.settle({ id, accountId, calls }),
    voidReservation: ({ id }) => voidCall(id),
    async refund({ id, accountId, month }, calls = 1) {
      await one('refund_call', [accountId, id, month, calls])
    },
    later,
  }
}

const HELD = {
  name: 'held_credits',
  text: 'select greatest(0, least(credits, reserved)) as held from account where id = $1',
}

/** Credits of an account reserved by calls in progress: if none are left, these may be given back. */
export async function heldCredits(pool: pg.Pool, accountId: string | null): Promise<number> {
  const { rows } = await pool.query<{ held: number }>({ ...HELD, values: [accountId] })
  return rows[0]?.held ?? 0
}

export const DEFAULT_TRIAL_CALLS = 'free=50,pro=200'

/** Only plans without API access; the others use the calls of their plan. */
export const trialCalls = planLimits(
  planNames.filter((name) => !plans[name].apiAccess),
  DEFAULT_TRIAL_CALLS,
).refine((limits) => Object.values(limits).every((limit) => limit !== null), `must be a number, or like ${DEFAULT_TRIAL_CALLS}`)
