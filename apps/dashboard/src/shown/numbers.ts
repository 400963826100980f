import { numberFormat } from './locale.ts'

/** 50,000 */
export const shownNumber = numberFormat({ maximumFractionDigits: 0 })

/** 50K, for small spaces. */
export const shownShort = numberFormat({ notation: 'compact', maximumFractionDigits: 1 })

const shareFormat = numberFormat({ style: 'percent', maximumFractionDigits: 1 })

/** By the least and the most decimals. */
const decimalFormats = new Map<string, (value: number) => string>()

/** A number with as many decimals: 2.50 */
export function shownDecimal(value: number, digits: number, least = digits): string {
  const key = `${least}–${digits}`
  const format = decimalFormats.get(key) ?? numberFormat({ minimumFractionDigits: least, maximumFractionDigits: digits })
  decimalFormats.set(key, format)
  return format(value)
}

/** 83.2%, of 83.2 */
export const shownPercent = (percent: number): string => shareFormat(percent / 100)

/** "1 call", "50,000 calls" */
export const shownCount = (value: number, unit: string): string => `${shownNumber(value)} ${unit}${value === 1 ? '' : 's'}`

/** 12.5%; a share above zero is never shown as 0. */
export function shownShare(value: number, of: number): string {
  const part = of === 0 ? 0 : value / of
  return part > 0 && part < 0.001 ? `< ${shareFormat(0.001)}` : shareFormat(part)
}
