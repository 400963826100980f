import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { addressError } from './access.ts'
import type { AiError, AiFailure } from './client/ai-error.ts'
import type { Provider } from './provider.ts'

/** `kind` of ai_provider_error. */
export const providerFaults = ['auth', 'quota', 'model_not_found', 'no_vision', 'refused', 'bad_output', 'network'] as const

type ProviderFault = (typeof providerFaults)[number]

interface Row extends Readonly<Record<Provider, ErrorName>> {
  /** For ai_provider_error. */
  readonly kind?: ProviderFault
  /** Whether it is something of the caller's, also where the model is the operator's: then the answer says what. */
  readonly caller?: true
}

const fault = (kind: ProviderFault) => ({ platform: 'ai_provider_error', byok: 'ai_provider_error', kind }) as const

/** What a caller is told of each failure. */
const rows: Readonly<Record<AiFailure, Row>> = {
  address: { ...fault('network'), byok: 'invalid_params' },
  auth: fault('auth'),
  quota: fault('quota'),
  rate_limited: { platform: 'ai_service_unavailable', byok: 'ai_provider_rate_limited', caller: true },
  model_not_found: fault('model_not_found'),
  no_vision: fault('no_vision'),
  rejected: fault('bad_output'),
  refused: { ...fault('refused'), caller: true },
  bad_output: { ...fault('bad_output'), caller: true },
  network: fault('network'),
  timeout: { platform: 'ai_provider_timeout', byok: 'ai_provider_timeout', caller: true },
}

/** What a trial of a caller's model may fail with: the kinds of ai_provider_error, and what else has an error of its own. */
export const trialFaults = [...providerFaults, 'rate_limited', 'timeout'] as const

export const trialFault = ({ kind }: AiError): (typeof trialFaults)[number] =>
  kind === 'rate_limited' || kind === 'timeout' ? kind : (rows[kind].kind ?? 'network')

/** Seconds after which a busy server may be asked again that does not say when. */
const BUSY_S = 5

const BASE_URL = ['userProvider', 'baseUrl'] as const

/** What a client is told of a model server's failure: words of ours only, since a server's may repeat a key or show a network. */
export function providerError(error: AiError, provider: Provider): ApiError {
  const { kind, caller, ...names } = rows[error.kind]
  const name = names[provider]
  if (name === 'invalid_params') return addressError(BASE_URL, error.cause)
  return new ApiError(name, {
    ...((caller || provider === 'byok') && { message: error.message }),
    ...(name === 'ai_provider_error' && { facts: { kind } }),
    ...(error.kind === 'rate_limited' && { retryAfterSeconds: Math.max(1, error.retryAfterSeconds ?? BUSY_S) }),
    cause: error,
    ofCaller: provider === 'byok',
  })
}
