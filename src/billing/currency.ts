/** Stripe's list of currencies whose smallest unit is the whole one: docs.stripe.com/currencies#zero-decimal. */
const WITHOUT_DECIMALS = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf']
const WITH_THREE = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

/** Stripe takes UGX as whole units in one place and as hundredths in another: a price must not be wrong by a factor of 100. */
const REFUSED = ['ugx']

/** Decimals of a currency, a three-letter code in small letters, as Stripe counts its smallest unit; undefined when we refuse it. */
export function decimalsOf(currency: string): 0 | 2 | 3 | undefined {
  if (REFUSED.includes(currency)) return undefined
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}

/** Whether Stripe charges this amount: it wants tens of the thousandth, and whole Icelandic krónur in hundredths. */
export function isChargeable(amount: number, currency: string): boolean {
  const step = WITH_THREE.includes(currency) ? 10 : currency === 'isk' ? 100 : 1
  return amount > 0 && amount % step === 0
}
