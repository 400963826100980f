import { locale } from './locale.ts'

const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 })

/** A number with as many decimals: 2.50 */
export const shownDecimal = (value: number, digits: number, least = digits): string =>
  new Intl.NumberFormat(locale, { minimumFractionDigits: least, maximumFractionDigits: digits }).format(value)

/** 83.2%, of 83.2 */
export const shownPercent = (percent: number): string => share.format(percent / 100)

/** 50,000 */
export const shownNumber = (value: number): string => whole.format(value)

/** 50K, for small spaces. */
export const shownShort = (value: number): string => short.format(value)

/** "1 call", "50,000 calls" */
export const shownCount = (value: number, unit: string): string => `${shownNumber(value)} ${unit}${value === 1 ? '' : 's'}`

/** 12.5%; a share above zero is never shown as 0. */
export function shownShare(value: number, of: number): string {
  const part = of === 0 ? 0 : value / of
  return part > 0 && part < 0.001 ? `< ${share.format(0.001)}` : share.format(part)
}
