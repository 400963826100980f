import type { Generated } from 'kysely'

/** The tables as `migrations/*.sql` makes them: a column here and there is one change. */
export interface Schema {
  account: AccountTable
  api_key: ApiKeyTable
  key_window: KeyWindowTable
  usage_month: UsageMonthTable
  credit_entry: CreditEntryTable
  login_token: LoginTokenTable
  throttle: ThrottleTable
}

export interface AccountTable {
  id: Generated<string>
  /** In small letters: the table checks it. */
  email: string
  name: Generated<string>
  password_hash: string
  role: Generated<'user' | 'admin'>
  plan: Generated<'free' | 'pro' | 'team' | 'enterprise'>
  /** Never below zero: the table checks it. */
  credits: Generated<number>
  disabled_at: Date | null
  created_at: Generated<Date>
}

export interface ApiKeyTable {
  id: Generated<string>
  account_id: string
  name: string
  /** SHA-256 of the key: the key itself is shown once and never kept. */
  hash: Buffer
  prefix: string
  last_four: string
  created_at: Generated<Date>
  last_used_at: Date | null
  revoked_at: Date | null
}

/** The times of a key's latest calls, oldest first: an exact sliding window. */
export interface KeyWindowTable {
  key_id: string
  hits: Date[]
}

export interface UsageMonthTable {
  account_id: string
  /** First day of the month in UTC, `2026-11-01`. */
  month: string
  used: number
}

/** Only ever added to: an account's credits are the sum of its entries. */
export interface CreditEntryTable {
  id: Generated<number>
  account_id: string
  kind: 'purchase' | 'grant' | 'call' | 'refund'
  /** Negative when spent. */
  credits: number
  /** What the account had after this entry. */
  balance: number
  /** Unique for each kind, so that nothing is booked twice. */
  reference: string
  at: Generated<Date>
}

/** A sign-in, by a script or in a browser's cookie. */
export interface LoginTokenTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the token. */
  hash: Buffer
  created_at: Generated<Date>
  last_used_at: Date | null
  expires_at: Date
}

/** The latest attempts at something that is limited, oldest first: an exact sliding window. */
export interface ThrottleTable {
  /** SHA-256 of what is counted. */
  key: Buffer
  hits: Date[]
  /** When none of them counts any more. */
  expires_at: Date
}
