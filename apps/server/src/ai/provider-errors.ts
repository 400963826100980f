import { ApiError } from '../contract/api-error.ts'
import type { ErrorName } from '../contract/errors.ts'
import { providerFaults } from '../contract/provider-faults.ts'
import { addressError } from './access.ts'
import type { AiError, AiFailure } from './client/ai-error.ts'
import type { Provider } from './provider.ts'

type ProviderFault = (typeof providerFaults)[number]

interface Row extends Readonly<Record<Provider, ErrorName>> {
  /** For ai_provider_error. */
  readonly kind?: ProviderFault
  /** Whether the message is shown to callers of the operator's model too. */
  readonly caller?: true
}

const fault = (kind: ProviderFault) => ({ platform: 'ai_provider_error', byok: 'ai_provider_error', kind }) as const

/** The API error for each failure. */
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

/** Failures of a model trial: the kinds of ai_provider_error, and those that have an API error of their own. */
export const trialFaults = [...providerFaults, 'rate_limited', 'timeout'] as const

export const trialFault = ({ kind }: AiError): (typeof trialFaults)[number] =>
  kind === 'rate_limited' || kind === 'timeout' ? kind : (rows[kind].kind ?? 'network')

/** Retry-After for a rate-limited server that does not say when. */
const BUSY_S = 5

const BASE_URL = ['userProvider', 'baseUrl'] as const

/** The API error for a failure of a model server. Only our own text: the server's may repeat a key or describe the network. */
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
