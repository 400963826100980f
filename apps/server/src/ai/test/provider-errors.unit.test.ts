import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { AiError, type AiFailure } from '../client/ai-error.ts'
import { providerError } from '../provider-errors.ts'

type Told = readonly [code: string, status: number, kind?: string]

/** The errors that callers get for the platform's model, and for their own. */
const toldValue: Readonly<Record<AiFailure, readonly [platform: Told, byok: Told]>> = {
  address: [
    ['ai_provider_error', 502, 'network'],
    ['invalid_params', 400],
  ],
  auth: [
    ['ai_provider_error', 502, 'auth'],
    ['ai_provider_error', 502, 'auth'],
  ],
  quota: [
    ['ai_provider_error', 502, 'quota'],
    ['ai_provider_error', 502, 'quota'],
  ],
  rate_limited: [
    ['ai_service_unavailable', 503],
    ['ai_provider_rate_limited', 429],
  ],
  model_not_found: [
    ['ai_provider_error', 502, 'model_not_found'],
    ['ai_provider_error', 502, 'model_not_found'],
  ],
  no_vision: [
    ['ai_provider_error', 502, 'no_vision'],
    ['ai_provider_error', 502, 'no_vision'],
  ],
  rejected: [
    ['ai_provider_error', 502, 'bad_output'],
    ['ai_provider_error', 502, 'bad_output'],
  ],
  refused: [
    ['ai_provider_error', 502, 'refused'],
    ['ai_provider_error', 502, 'refused'],
  ],
  bad_output: [
    ['ai_provider_error', 502, 'bad_output'],
    ['ai_provider_error', 502, 'bad_output'],
  ],
  network: [
    ['ai_provider_error', 502, 'network'],
    ['ai_provider_error', 502, 'network'],
  ],
  timeout: [
    ['ai_provider_timeout', 504],
    ['ai_provider_timeout', 504],
  ],
}

for (const [failure, [platform, byok]] of Object.entries(toldValue))
  test(`${failure} is ${platform[0]} of the platform's model, ${byok[0]} of one's own`, () => {
    const error = new AiError(failure as AiFailure, 'for the log only')
    for (const [provider, expected] of [['platform', platform] as const, ['byok', byok] as const]) {
      const { code, status, facts, message, ofCaller } = providerError(error, provider)
      assert.equal(ofCaller, provider === 'byok' && code !== 'invalid_params')
      assert.deepEqual([code, status, ...(facts ? [facts.kind] : [])], expected)
      assert.doesNotMatch(message, /for the log/)
    }
  })

test("callers learn nothing of the operator's account at a model server", () => {
  for (const failure of ['auth', 'quota', 'model_not_found', 'network'] as const)
    assert.equal(
      providerError(new AiError(failure, ''), 'platform').message,
      'The model server returned an error or an invalid answer.',
    )
  assert.match(providerError(new AiError('auth', ''), 'byok').message, /refused the API key/)
  assert.match(providerError(new AiError('refused', ''), 'platform').message, /declined/)
})

test('an address that is refused and a name that is unknown are answered alike, at the field', () => {
  const answers = [new OutboundError('refused', 'address', 'private'), new OutboundError('dns', 'address', 'look-up failed')]
    .map((cause) => new AiError('address', cause.reason, { cause }))
    .map((error) => providerError(error, 'byok'))
    .map(({ code, status, message, issues, headers, facts }) => ({ code, status, message, issues, headers, facts }))
  assert.deepEqual(answers[0], answers[1])
  assert.deepEqual(
    answers[0]?.issues?.map(({ path }) => path),
    [['userProvider', 'baseUrl']],
  )
})

test('a busy server is asked again when it says, and in five seconds when it does not', () => {
  const waits = [7, 0, undefined].flatMap((retryAfterSeconds) =>
    (['platform', 'byok'] as const).map(
      (provider) => providerError(new AiError('rate_limited', '', { retryAfterSeconds }), provider).retryAfterSeconds,
    ),
  )
  assert.deepEqual(waits, [7, 7, 1, 1, 5, 5])
})
