import { locale } from './locale.ts'

/** Stripe's number of decimals for each currency, which sometimes differs from the usual one: docs.stripe.com/currencies. */
const WITHOUT_DECIMALS = ['bif', 'clp', 'djf', 'gnf', 'jpy', 'kmf', 'krw', 'mga', 'pyg', 'rwf', 'vnd', 'vuv', 'xaf', 'xof', 'xpf']
const WITH_THREE = ['bhd', 'jod', 'kwd', 'omr', 'tnd']

export interface Price {
  /** In the smallest unit. */
  readonly amount: number
  /** ISO 4217 in small letters. */
  readonly currency: string
}

export const decimalsOf = (currency: string): number =>
  WITHOUT_DECIMALS.includes(currency) ? 0 : WITH_THREE.includes(currency) ? 3 : 2

/** $9.00 */
export function shownPrice({ amount, currency }: Price): string {
  const decimals = decimalsOf(currency)
  return inCurrency(currency, decimals, decimals).format(amount / 10 ** decimals)
}

/** The price of one credit of a package: $0.009, with two significant digits. */
export function shownUnitPrice({ amount, currency }: Price, credits: number): string {
  const each = amount / 10 ** decimalsOf(currency) / credits
  const digits = each === 0 ? 0 : Math.max(decimalsOf(currency), 1 - Math.floor(Math.log10(each)))
  return inCurrency(currency, 0, Math.min(8, digits)).format(each)
}

/** An amount with fractions of a cent: a model's answer costs less than one. */
export const shownDollars = (dollars: number): string => inCurrency('usd', 2, dollars < 1 ? 4 : 2).format(dollars)

const inCurrency = (currency: string, least: number, most: number): Intl.NumberFormat =>
  new Intl.NumberFormat(locale, {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: least,
    maximumFractionDigits: most,
  })
