import { z } from 'zod'

/** A price as Stripe writes it: `amount` in the currency's smallest unit (900 is 9.00 USD, or 900 JPY). */
export interface Price {
  readonly amount: number
  /** ISO 4217 in small letters. */
  readonly currency: string
}

/** A number of credits and its price. */
export interface CreditPackage {
  readonly id: string
  readonly credits: number
  readonly price: Price
}

export const DEFAULT_PACKAGES = 'starter=1000@9.00USD,growth=10000@79.00USD,scale=100000@690.00USD'

/** `starter=1000@9.00USD`: id, credits, price. */
const PACKAGE = /^([a-z0-9][a-z0-9_-]{0,39})=(\d{1,9})@(\d{1,9})(?:\.(\d+))?([A-Z]{3})$/i

/** Stripe allows at most eight digits for most currencies. */
const LARGEST_AMOUNT = 99_999_999

/** The packages of the setting CREDIT_PACKAGES, in its order. */
export const creditPackages = z.string().transform((text, context): readonly CreditPackage[] => {
  const packages = parsePackages(text)
  if (typeof packages !== 'string') return packages
  context.addIssue(packages)
  return z.NEVER
})

/** The packages, or a sentence that says what is wrong with the text. */
function parsePackages(text: string): readonly CreditPackage[] | string {
  const packages: CreditPackage[] = []
  for (const entry of text.split(',').map((part) => part.trim())) {
    const packageText = parsePackage(entry)
    if (typeof packageText === 'string') return `${packageText}: "${entry}"`
    if (packages.some(({ id }) => id === packageText.id)) return `names a package twice: "${packageText.id}"`
    packages.push(packageText)
  }
  return packages
}

function parsePackage(entry: string): CreditPackage | string {
  const [, id = '', credits, units, fraction = '', code = ''] = PACKAGE.exec(entry) ?? []
  if (!id) return 'must read like starter=1000@9.00USD,growth=10000@79.00USD, and does not'
  const currency = code.toLowerCase()
  const decimals = decimalsOf(currency)
  if (decimals === undefined) return 'has a currency that is not supported'
  if (fraction !== '' && fraction.length !== decimals) return `needs ${decimals} decimals, or none, in its price`
  const amount = Number(units) * 10 ** decimals + Number(fraction)
  if (!isChargeable(amount, currency) || amount > LARGEST_AMOUNT) return 'has a price that Stripe does not charge'
  if (Number(credits) === 0) return 'must sell at least one credit'
  return { id, credits: Number(credits), price: { amount, currency } }
}

/** Stripe's list of currencies whose smallest unit is the whole one: docs.stripe.com/currencies#zero-decimal. */
const WITHOUT_DECIMALS = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf']
const WITH_THREE = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

/** Stripe's documentation is inconsistent about the decimals of UGX: a price might be wrong by a factor of 100. */
const REFUSED = ['ugx']

/** The decimals of a currency (ISO 4217 in lower case) in Stripe's smallest unit; undefined when it is not supported. */
export function decimalsOf(currency: string): 0 | 2 | 3 | undefined {
  if (REFUSED.includes(currency)) return undefined
  if (WITHOUT_DECIMALS.includes(currency)) return 0
  return WITH_THREE.includes(currency) ? 3 : 2
}

/** Whether Stripe accepts this amount: three-decimal currencies in multiples of ten, Icelandic krónur in multiples of 100. */
function isChargeable(amount: number, currency: string): boolean {
  const step = WITH_THREE.includes(currency) ? 10 : currency === 'isk' ? 100 : 1
  return amount > 0 && amount % step === 0
}
