import { noUsage, type Usage } from './completion.ts'

/** Failures of a model server, with our own text: the server's may repeat a key or describe the network. */
const sentences = {
  address: 'The address of the model server is not allowed.',
  auth: 'The model server refused the API key.',
  quota: 'The account at the model server has no quota left.',
  rate_limited: 'The model server has too many requests at the moment.',
  model_not_found: 'The model server has no such model, or the address is wrong.',
  no_vision: 'The model does not take images.',
  rejected: 'The model server did not accept the request.',
  refused: 'The model declined to answer for this image.',
  bad_output: 'The model server answered with something that cannot be used.',
  network: 'The model server could not be reached, or failed.',
  timeout: 'The model server did not answer in time.',
} as const

export type AiFailure = keyof typeof sentences

export interface AiErrorDetails {
  /** HTTP status of the model server. */
  readonly status?: number
  /** Retry-After of the model server. */
  readonly retryAfterSeconds?: number | undefined
  /** Tokens spent before the failure. */
  readonly usage?: Usage
  readonly cause?: unknown
}

export class AiError extends Error {
  override name = 'AiError' as const
  readonly kind: AiFailure
  /** For the log, without text of the server. */
  readonly reason: string
  readonly status: number | undefined
  readonly retryAfterSeconds: number | undefined
  readonly usage: Usage

  constructor(kind: AiFailure, reason: string, { status, retryAfterSeconds, usage = noUsage, cause }: AiErrorDetails = {}) {
    super(sentences[kind], { cause })
    this.kind = kind
    this.reason = reason
    this.status = status
    this.retryAfterSeconds = retryAfterSeconds
    this.usage = usage
  }

  withUsage(usage: Usage): AiError {
    const { kind, reason, status, retryAfterSeconds, cause } = this
    return new AiError(kind, reason, { ...(status !== undefined && { status }), retryAfterSeconds, usage, cause })
  }
}
