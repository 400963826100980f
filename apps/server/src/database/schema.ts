import type { Generated, JSONColumnType } from 'kysely'
import type { PlanName, Role } from '../contract/plans.ts'
import type { Scope } from '../contract/scopes.ts'
import type { SourceChangeTable, SourceDayTable, SourcePurgeTable, SourceTable } from './source-tables.ts'
import type { UploadPartTable, UploadTable } from './upload-tables.ts'

/** The tables as `migrations/` creates them. */
export interface Schema {
  account: AccountTable
  api_key: ApiKeyTable
  request_window: RequestWindowTable
  reservation: ReservationTable
  usage_month: UsageMonthTable
  credit_entry: CreditEntryTable
  login_token: LoginTokenTable
  throttle: ThrottleTable
  known_place: KnownPlaceTable
  usage_event: UsageEventTable
  usage_day: UsageDayTable
  purchase: PurchaseTable
  stripe_event: StripeEventTable
  audit_entry: AuditEntryTable
  webhook_secret: WebhookSecretTable
  ai_key: AiKeyTable
  preset: PresetTable
  source: SourceTable
  source_purge: SourcePurgeTable
  source_day: SourceDayTable
  source_change: SourceChangeTable
  upload: UploadTable
  upload_part: UploadPartTable
  webhook_delivery: WebhookDeliveryTable
  webhook_attempt: WebhookAttemptTable
}

export interface AccountTable {
  id: Generated<string>
  /** In lower case; the table enforces it. */
  email: string
  name: Generated<string>
  password_hash: string
  role: Generated<Role>
  plan: Generated<PlanName>
  /** The sum of the account's ledger entries; negative only after the refund of a purchase whose credits were spent. */
  credits: Generated<number>
  /** The sum of the account's credit reservations; `credits - reserved` can be spent. */
  reserved: Generated<number>
  disabled_at: Date | null
  /** Of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or below them. */
  delivery_places: Generated<string[]>
  created_at: Generated<Date>
  /** Revoked by its owner; the row stays, without a name, since the ledger refers to it. */
  deleted_at: Date | null
  /** When everything but the ledger was deleted. */
  cleared_at: Date | null
}

export interface ApiKeyTable {
  id: Generated<string>
  account_id: string
  name: string
  /** SHA-256 of the key: the key itself is shown once and never stored. */
  hash: Buffer
  prefix: string
  last_four: string
  scopes: Generated<Scope[]>
  created_at: Generated<Date>
  last_used_at: Date | null
  revoked_at: Date | null
}

/** The times of a caller's latest requests, oldest first: an exact sliding window. */
export interface RequestWindowTable {
  /** An API key's id, or the account's where a login token reads. */
  caller: string
  kind: 'work' | 'read'
  account_id: string
  hits: Date[]
}

/**
 * Amounts reserved by work in progress, which may be given back. A removal with an API key also reserves a call, under the same
 * id.
 */
export interface ReservationTable {
  id: string
  account_id: string
  meter: 'call' | 'ai_image' | 'removal'
  /** First day, in UTC, of the month or day it was reserved from; null if credits pay. */
  period: string | null
  /** Calls, images or removals that are neither settled nor given back. */
  cost: number
  /** The server that does the work; null for work that outlives its server. */
  server: number | null
  at: Generated<Date>
}

export interface UsageMonthTable {
  account_id: string
  /** First day of the month in UTC, `2026-11-01`. */
  month: string
  used: number
}

/** Append-only: an account's credits are the sum of its entries. */
export interface CreditEntryTable {
  id: Generated<number>
  account_id: string
  kind: 'purchase' | 'grant' | 'call' | 'refund' | 'purchase_refund'
  /** Negative when spent. */
  credits: number
  /** Balance after this entry. */
  balance: number
  /** Unique for each kind, so that nothing is entered twice. */
  reference: string
  at: Generated<Date>
}

/** A session, of a script or in a browser's cookie. */
export interface LoginTokenTable {
  id: Generated<string>
  account_id: string
  /** SHA-256 of the token. */
  hash: Buffer
  created_at: Generated<Date>
  last_used_at: Date | null
  expires_at: Date
  /** User-Agent of the program that signed in, at most 200 characters. */
  user_agent: string | null
}

/** The latest attempts at a rate-limited action, oldest first: an exact sliding window. */
export interface ThrottleTable {
  /** SHA-256 of what is limited. */
  key: Buffer
  hits: Date[]
  /** Guesses whose outcome is not known yet. */
  pending: Generated<Date[]>
  /** When all of them have expired. */
  expires_at: Date
}

/** Networks from which an account has signed in. */
export interface KnownPlaceTable {
  /** SHA-256 of e-mail address and network. */
  key: Buffer
  expires_at: Date
}

/** One answer to an admitted call. */
export interface UsageEventTable {
  id: string
  account_id: string
  /** Null for a call with a session. */
  key_id: string | null
  endpoint: string
  status: number
  status_message: string | null
  input_bytes: number
  output_bytes: number
  duration_ms: number
  at: Date
  /** Whether it was a request to an AI endpoint, which does not count as a call. */
  ai: Generated<boolean>
  /** The following fields are set for AI requests that asked a model. */
  provider: 'platform' | 'byok' | null
  model: string | null
  images: number | null
  questions: number | null
  input_tokens: number | null
  output_tokens: number | null
  /** US dollars, exactly. */
  cost: string | null
}

/** Successful calls of a UTC day. */
export interface UsageDayTable {
  account_id: string
  day: string
  endpoint: string
  calls: number
  input_bytes: Generated<number>
  output_bytes: Generated<number>
}

/** Credits bought through Stripe; amounts are in the currency's smallest unit, as Stripe counts it. */
export interface PurchaseTable {
  id: Generated<string>
  account_id: string
  package_id: string
  credits: number
  amount: number
  /** Three lower-case letters. */
  currency: string
  status: Generated<'pending' | 'paid' | 'failed' | 'expired' | 'refunded'>
  session_id: string | null
  payment_intent: string | null
  refunded_amount: Generated<number>
  /** Lost in a dispute. */
  disputed_amount: Generated<number>
  credits_taken_back: Generated<number>
  created_at: Generated<Date>
  paid_at: Date | null
}

/** Stripe events that were processed, so that a repeated event is not processed again. */
export interface StripeEventTable {
  id: string
  type: string
  purchase_id: string | null
  outcome: string
  at: Generated<Date>
}

/** Append-only: the table refuses anything else. */
export interface AuditEntryTable {
  id: Generated<number>
  at: Generated<Date>
  /** The account that acted; null without a session. */
  actor_id: string | null
  action: string
  /** The account that is affected. */
  account_id: string
  details: JSONColumnType<Readonly<Record<string, unknown>>>
  request_id: string | null
  address: string | null
}

/** The secret that signs an account's webhooks. */
export interface WebhookSecretTable {
  account_id: string
  secret: string
  /** The previous secret, which also signs for a while. */
  previous: string | null
  previous_until: Date | null
}

/** The delivery of an event to an address; only functions of the database claim and end it. */
export interface WebhookDeliveryTable {
  id: Generated<string>
  account_id: string
  batch_id: string
  event: string
  url: string
  /** The batch's row at the event. */
  facts: JSONColumnType<Readonly<Record<string, unknown>>>
  /** Null until the first attempt. */
  body: string | null
  status: Generated<'pending' | 'delivered' | 'failed' | 'stopped'>
  attempts: Generated<number>
  /** Null if there is no further attempt. */
  next_attempt_at: Date | null
  /** Lease of an attempt in progress. */
  claimed_until: Date | null
  created_at: Generated<Date>
  delivered_at: Date | null
}

export interface WebhookAttemptTable {
  delivery_id: string
  number: number
  at: Generated<Date>
  /** Null while it is in progress, or if its process ended during it. */
  duration_ms: number | null
  http_status: number | null
  error: string | null
}

export interface PresetTable {
  account_id: string
  name: string
  recipe: JSONColumnType<object, string, string>
  updated_at: Generated<Date>
}

/** The model server that an account saved, with its API key encrypted. */
export interface AiKeyTable {
  account_id: string
  base_url: string
  model: string
  encrypted: string
  /** Masked, for display to its owner. */
  masked: string
  updated_at: Generated<Date>
}
