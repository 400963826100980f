import { createHash } from 'node:crypto'
import { isIPv6 } from 'node:net'
import { limits } from '@pixelmill/codecs/contract/limits'
import { type Kysely, sql } from 'kysely'
import { ApiError } from '../contract/api-error.ts'
import type { Schema } from '../database/schema.ts'

const QUARTER_HOUR = 15 * 60
const HOUR = 60 * 60

/** How often something may be tried: at most `attempts` in any `seconds`. docs/security.md lists them with reasons. */
export const throttles = {
  /** Wrong passwords for one e-mail address from one network. A right password resets the count. */
  signInHere: { attempts: 10, seconds: QUARTER_HOUR },
  /** Wrong passwords from one network for any account, except accounts that have signed in from there before. */
  signInFrom: { attempts: 100, seconds: QUARTER_HOUR },
  /** Wrong passwords for one e-mail address from all networks that it has not signed in from: distributed guessing. */
  signInAs: { attempts: 100, seconds: QUARTER_HOUR },
  /** Sign-ups and changes of e-mail from one network: both reveal whether an address is taken. */
  newEmailFrom: { attempts: limits.newEmailsPerHour, seconds: HOUR },
  /** Checkouts of one account: each is a session at Stripe, which takes 100 requests a second from all of us. */
  checkoutBy: { attempts: 30, seconds: HOUR },
  /** Webhooks that an account has delivered again: each is a request to an address of its choice. */
  redeliveryBy: { attempts: 10, seconds: 60 },
  /** Previews of an account, which are free: a setting changes it. */
  previewBy: { attempts: limits.preview.perHour, seconds: HOUR },
  /** AI keys that an account saves: each resolves an address of its choice, and adds a permanent entry to the audit log. */
  aiKeyBy: { attempts: 30, seconds: HOUR },
  /** AI models that an account tries: each is a request to an address of its choice. As many as AI requests. */
  aiTrialBy: { attempts: limits.burstPerMinute, seconds: 60 },
} as const

type Throttle = keyof typeof throttles

/** One counter of attempts and its limit. */
export interface Counted {
  readonly key: Buffer
  readonly attempts: number
  readonly seconds: number
}

const count = (throttle: Throttle, ...subject: readonly string[]): Counted => ({
  ...throttles[throttle],
  key: createHash('sha256')
    .update(JSON.stringify([throttle, ...subject]))
    .digest(),
})

/** A password for an e-mail address, from the IP address of a client. From a known network only `signInHere` counts. */
export const guess = (email: string, address: string, isKnownHere: boolean): readonly Counted[] => {
  const network = clientNetwork(address)
  const here = count('signInHere', email, network)
  return isKnownHere ? [here] : [here, count('signInFrom', network), count('signInAs', email)]
}

/** An e-mail address that may be taken, from the address of a client; `perHour` is SIGN_UPS_PER_HOUR, 0 no limit. */
export const newEmail = (address: string, perHour: number): readonly Counted[] =>
  perHour === 0 ? [] : [{ ...count('newEmailFrom', clientNetwork(address)), attempts: perHour }]

/** A purchase that an account begins. */
export const checkoutOf = (accountId: string): readonly Counted[] => [count('checkoutBy', accountId)]

/** A webhook that an account has delivered again. */
export const redeliveryOf = (accountId: string): readonly Counted[] => [count('redeliveryBy', accountId)]

/** A preview of an account; `perHour` is PREVIEWS_PER_HOUR. */
export const previewOf = (accountId: string, perHour: number): readonly Counted[] => [
  { ...count('previewBy', accountId), attempts: perHour },
]

/** An AI key that an account saves. */
export const aiKeyOf = (accountId: string): readonly Counted[] => [count('aiKeyBy', accountId)]

/** An AI model that an account tries. */
export const aiTrialOf = (accountId: string): readonly Counted[] => [count('aiTrialBy', accountId)]

/** As the database's functions take them: keys, most attempts, seconds. */
export const windowsOf = (windows: readonly Counted[]) =>
  sql.join([windows.map(({ key }) => key), windows.map(({ attempts }) => attempts), windows.map(({ seconds }) => seconds)])

/**
 * Counts an attempt on all of these throttles, or on none.
 * @throws ApiError rate_limited, with the seconds until all of them allow an attempt
 */
export async function takeAttempt(db: Kysely<Schema>, windows: readonly Counted[]): Promise<void> {
  if (windows.length === 0) return
  const { rows } = await sql<{ retry_seconds: number | null }>`
    select retry_seconds from take_attempt(${windowsOf(windows)})`.execute(db)
  refuseUntil(rows[0]?.retry_seconds)
}

/** @throws ApiError rate_limited when `retryAfterSeconds` is a number */
export function refuseUntil(retryAfterSeconds: number | null | undefined): void {
  if (typeof retryAfterSeconds === 'number') throw new ApiError('rate_limited', { retryAfterSeconds })
}

/** Deletes expired rows in batches; returns how many. */
export async function forgetOldAttempts(db: Kysely<Schema>): Promise<number> {
  const old = sql<Buffer>`(select key from throttle where expires_at < now() limit 10000 for update skip locked)`
  const { numDeletedRows } = await db.deleteFrom('throttle').where('key', 'in', old).executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

const V4_IN_V6 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i

/** `2001:db8::1` → its first four groups; `::` is expanded to the missing zeros. */
function first64Bits(address: string): string {
  const [head = '', tail] = address.split('::')
  const [before, after] = [head, tail ?? ''].map((part) => part.split(':').filter(Boolean))
  const missing = tail === undefined ? 0 : 8 - (before?.length ?? 0) - (after?.length ?? 0)
  const groups = [...(before ?? []), ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}

/** The network of one customer: an IPv4 address, or the /64 of IPv6 that a provider assigns to each connection. */
export function clientNetwork(address: string): string {
  const [bare = ''] = address.split('%')
  const v4 = V4_IN_V6.exec(bare)?.[1]
  if (v4) return v4
  return isIPv6(bare) ? `${first64Bits(bare)}::/64` : bare
}
