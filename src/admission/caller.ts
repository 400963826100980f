import type { Reader } from '../metering/calls.ts'
import type { Visitor } from './gate.ts'

/** Who is asked for in the database: a key's hash, or the account that is signed in. */
export function callerOf({ apiKeyHash: keyHash, account: accountId }: Visitor): Reader | undefined {
  if (keyHash) return { keyHash }
  return accountId === undefined ? undefined : { accountId }
}
