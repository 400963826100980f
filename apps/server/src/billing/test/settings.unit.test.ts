import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from '../../config.ts'

const refusalOf = (environment: NodeJS.ProcessEnv): string => {
  try {
    readConfig(environment)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return 'accepted'
}

test('three packages are sold unless told otherwise', () => {
  assert.deepEqual(readConfig({}).CREDIT_PACKAGES, [
    { id: 'starter', credits: 1_000, price: { amount: 900, currency: 'usd' } },
    { id: 'growth', credits: 10_000, price: { amount: 7_900, currency: 'usd' } },
    { id: 'scale', credits: 100_000, price: { amount: 69_000, currency: 'usd' } },
  ])
})

/** Prices in the smallest unit as Stripe counts it: docs.stripe.com/currencies. */
const prices = [
  ['1.00USD', 100, 'usd'],
  ['1USD', 100, 'usd'],
  ['0.05eur', 5, 'eur'],
  ['500JPY', 500, 'jpy'],
  ['9000KRW', 9_000, 'krw'],
  ['5.120KWD', 5_120, 'kwd'],
  ['5KWD', 5_000, 'kwd'],
  ['5ISK', 500, 'isk'],
  ['999999.99USD', 99_999_999, 'usd'],
] as const
for (const [price, amount, currency] of prices) {
  test(`a price of ${price} is ${amount} for Stripe`, () => {
    assert.deepEqual(readConfig({ CREDIT_PACKAGES: `a=1@${price}` }).CREDIT_PACKAGES, [
      { id: 'a', credits: 1, price: { amount, currency } },
    ])
  })
}

const wrongPackages: readonly (readonly [text: string, says: RegExp])[] = [
  ['starter', /must read like/],
  ['starter=1000@9.00', /must read like/],
  ['starter=-5@9.00USD', /must read like/],
  ['starter=1e9@9.00USD', /must read like/],
  ['a=1@9.00USD,', /must read like/],
  ['a b=1@9.00USD', /must read like/],
  ['a=0@9.00USD', /at least one credit/],
  ['a=1@9.5USD', /needs 2 decimals/],
  ['a=1@500.00JPY', /needs 0 decimals/],
  ['a=1@5.12KWD', /needs 3 decimals/],
  ['a=1@5.125KWD', /does not charge/],
  ['a=1@5.50ISK', /does not charge/],
  ['a=1@0.00USD', /does not charge/],
  ['a=1@1000000.00USD', /does not charge/],
  ['a=1@5000UGX', /not supported/],
  ['a=1@1USD,b=2@2USD,a=3@3USD', /twice: "a"/],
]
for (const [text, says] of wrongPackages) {
  test(`CREDIT_PACKAGES=${text} is refused in one line`, () => {
    assert.match(refusalOf({ CREDIT_PACKAGES: text }), says)
    assert.match(refusalOf({ CREDIT_PACKAGES: text }), /^CREDIT_PACKAGES [^\n]+$/)
  })
}

const secrets = { STRIPE_SECRET_KEY: 'sk_test_0123', STRIPE_WEBHOOK_SECRET: 'whsec_0123' }
test('the two secrets of Stripe belong together, and neither is repeated in a refusal', () => {
  assert.equal(refusalOf(secrets), 'accepted')
  for (const [name, value] of Object.entries(secrets)) {
    const refusal = refusalOf({ [name]: value })
    assert.match(refusal, /belong together/)
    assert.doesNotMatch(refusal, /0123/)
  }
  assert.doesNotMatch(refusalOf({ ...secrets, STRIPE_SECRET_KEY: 'pk_live_0123' }), /0123/)
  assert.match(refusalOf({ ...secrets, STRIPE_SECRET_KEY: 'pk_live_0123' }), /secret or restricted key/)
})

const addresses: readonly (readonly [name: string, address: string, origin: string | undefined])[] = [
  ['STRIPE_API_BASE', 'https://stripe.example.com', 'https://stripe.example.com'],
  ['STRIPE_API_BASE', 'http://127.0.0.1:12111/', 'http://127.0.0.1:12111'],
  ['STRIPE_API_BASE', 'http://[::1]:12111', 'http://[::1]:12111'],
  ['STRIPE_API_BASE', 'http://stripe.example.com', undefined],
  ['STRIPE_API_BASE', 'http://127.0.0.1.example.com', undefined],
  ['STRIPE_API_BASE', 'https://example.com/stripe', undefined],
  ['STRIPE_API_BASE', 'https://me@example.com', undefined],
  ['STRIPE_API_BASE', 'stripe', undefined],
  ['PUBLIC_URL', 'http://images.example.com:8080', 'http://images.example.com:8080'],
  ['PUBLIC_URL', 'https://Images.example.com/', 'https://images.example.com'],
  ['PUBLIC_URL', 'https://example.com/?a=b', undefined],
  ['PUBLIC_URL', 'javascript:alert(1)', undefined],
]
for (const [name, address, origin] of addresses) {
  test(`${name}=${address} is ${origin ?? 'refused'}`, () => {
    if (origin === undefined) assert.match(refusalOf({ [name]: address }), /must be an address without a path/)
    else assert.equal(readConfig({ [name]: address })[name as 'PUBLIC_URL'], origin)
  })
}
