import { errors } from '../contract/errors.ts'
import type { AiUse } from './usage-log.ts'

/** One call, successful or not, as its account's owner sees it. */
export interface ListedCall {
  readonly id: string
  readonly endpoint: string
  readonly status: number
  /** The error's identifier; absent on success. */
  readonly statusMessage?: string
  /** What the identifier means, for people. */
  readonly message?: string
  /** The name of the key that it was made with; absent where somebody was signed in. */
  readonly key?: string
  readonly inputBytes: number
  readonly outputBytes: number
  readonly durationMs: number
  readonly at: Date
  /** What an AI request has spent; absent where it did not come to a model. */
  readonly ai?: ListedAi
}

export interface ListedAi extends Omit<AiUse, 'questions'> {
  /** US dollars, where the operator's model was asked and has prices. */
  readonly cost?: number
}

/** Null is what is absent. */
export type CallRow = Omit<ListedCall, 'statusMessage' | 'message' | 'key' | 'ai'> & {
  readonly statusMessage: string | null
  readonly key: string | null
  readonly ai: ListedAi | null
}

/** Of `usage_event e`. */
export const CALL_COLUMNS = `
  e.id, e.endpoint, e.status, e.status_message as "statusMessage", (select k.name from api_key k where k.id = e.key_id) as key,
  e.input_bytes as "inputBytes", e.output_bytes as "outputBytes", e.duration_ms as "durationMs", e.at,
  case when e.provider is not null then json_strip_nulls(json_build_object('provider', e.provider, 'model', e.model, 'images', e.images,
    'inputTokens', e.input_tokens, 'outputTokens', e.output_tokens, 'cost', e.cost)) end as ai`

const messageOf = (code: string): string | undefined => (code in errors ? errors[code as keyof typeof errors].message : undefined)

export function toListedCall({ statusMessage, key, ai, ...call }: CallRow): ListedCall {
  const message = statusMessage === null ? undefined : messageOf(statusMessage)
  return {
    ...call,
    ...(statusMessage !== null && { statusMessage }),
    ...(message !== undefined && { message }),
    ...(key !== null && { key }),
    ...(ai && { ai }),
  }
}
