/** What a service's failure means for the next try, for the breaker and for the operator. */
interface Meaning {
  /** Worth another try at once, the same picture. */
  readonly passes: boolean
  /** Speaks against the service as a whole: five in a row, and it is left alone. */
  readonly isDown: boolean
}

const meanings = {
  /** It takes that picture for none with a subject, or cannot read it. */
  refused: { passes: false, isDown: false },
  /** Key, credits or address: nothing that another picture would change, and the operator has to see to. */
  misconfigured: { passes: false, isDown: false },
  throttled: { passes: true, isDown: false },
  /** 5xx, or the connection broke. */
  failed: { passes: true, isDown: true },
  /** Not tried again: what was asked may have been done, and paid for. */
  timeout: { passes: false, isDown: true },
  /** 200 with something that is no picture. */
  invalid: { passes: false, isDown: true },
  /** Not asked: it is left alone for a while, or too many are waiting for it. */
  skipped: { passes: false, isDown: false },
} as const satisfies Record<string, Meaning>

export type FaultKind = keyof typeof meanings

/** Why a service gave no picture. Its own words are not repeated. */
export class ProviderFault extends Error {
  override name = 'ProviderFault' as const
  readonly kind: FaultKind
  readonly retryAfterSeconds: number | undefined

  constructor(kind: FaultKind, message: string, retryAfterSeconds?: number) {
    super(message)
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }

  get passes(): boolean {
    return meanings[this.kind].passes
  }

  get isDown(): boolean {
    return meanings[this.kind].isDown
  }
}

type Rule = readonly [kind: FaultKind, words: string, fits: (status: number) => boolean]

/** The first that fits says what a status other than 200 means; `words` are for the operator. */
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
  ['failed', 'it is in trouble', (status) => status >= 500 || status === 408],
  ['refused', 'it does not take the picture', (status) => status >= 400],
]

export function statusFault(status: number, retryAfterSeconds: number | undefined): ProviderFault {
  const [kind, words] = rules.find(([, , fits]) => fits(status)) ?? ['invalid', 'it sent no picture']
  return new ProviderFault(kind, `status ${status}: ${words}`, retryAfterSeconds)
}

/** What is told of a service that cuts out. */
export interface ProviderEvents {
  /** One request to it ended so, after so many seconds; `skipped`: none was made. */
  onAnswer(outcome: 'ok' | 'unusable' | FaultKind, seconds: number): void
  /** Something that the operator may have to see to; the same at most once in ten minutes, without secrets. */
  onFault(words: string): void
}
