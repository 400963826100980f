/** What a failure of a service means for retries and for the circuit breaker. */
interface Meaning {
  /** The same picture is worth a retry. */
  readonly isTransient: boolean
  /** Counts for the circuit breaker, which opens after five in a row. */
  readonly isDown: boolean
}

const meanings = {
  /** The service finds no subject in the picture, or cannot read it. */
  refused: { isTransient: false, isDown: false },
  /** Key, credits or address: every picture fails until the operator acts. */
  misconfigured: { isTransient: false, isDown: false },
  throttled: { isTransient: true, isDown: false },
  /** 5xx, or the connection broke. */
  failed: { isTransient: true, isDown: true },
  /** Not retried: the service may have done the work and charged for it. */
  timeout: { isTransient: false, isDown: true },
  /** Status 200 without a picture. */
  invalid: { isTransient: false, isDown: true },
  /** Not called: the circuit is open, or too many requests wait. */
  skipped: { isTransient: false, isDown: false },
} as const satisfies Record<string, Meaning>

export type FaultKind = keyof typeof meanings

/** Why a service returned no picture. The service's own text is not repeated. */
export class ProviderFault extends Error {
  override name = 'ProviderFault' as const
  readonly kind: FaultKind
  readonly retryAfterSeconds: number | undefined

  constructor(kind: FaultKind, message: string, retryAfterSeconds?: number) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }

  get isTransient(): boolean {
    return meanings[this.kind].isTransient
  }

  get isDown(): boolean {
    return meanings[this.kind].isDown
  }
}

type Rule = readonly [kind: FaultKind, words: string, fits: (status: number) => boolean]

/** The first rule that fits a status other than 200 applies; `words` are for the operator. */
const rules: readonly Rule[] = [
  ['misconfigured', 'BG_PROVIDER_KEY is not accepted', (status) => status === 401 || status === 403],
  ['misconfigured', 'no credits are left', (status) => status === 402],
  ['misconfigured', 'BG_PROVIDER_URL is no address that cuts out', (status) => [404, 405, 410].includes(status)],
  [
    'misconfigured',
    'it redirects, which is not followed: set BG_PROVIDER_URL to where',
    (status) => status >= 300 && status < 400,
  ],
  ['throttled', 'too many requests', (status) => status === 429],
  ['failed', 'the service failed', (status) => status >= 500 || status === 408],
  ['refused', 'it does not take the picture', (status) => status >= 400],
]

export function statusFault(status: number, retryAfterSeconds: number | undefined): ProviderFault {
  const [kind, words] = rules.find(([, , fits]) => fits(status)) ?? ['invalid', 'it sent no picture']
  return new ProviderFault(kind, `status ${status}: ${words}`, retryAfterSeconds)
}

/** Events of a background removal service. */
export interface ProviderEvents {
  /** Called after each request; `skipped`: none was sent. */
  onAnswer(outcome: 'ok' | 'unusable' | FaultKind, seconds: number): void
  /** Something the operator may have to fix, without secrets; the same at most once in ten minutes. */
  onFault(words: string): void
}
