const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
const share = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 })

/** 50,000 */
export const shownNumber = (value: number): string => whole.format(value)

/** 50K, where there is little room. */
export const shownShort = (value: number): string => short.format(value)

/** "1 call", "50,000 calls" */
export const shownCount = (value: number, unit: string): string => `${shownNumber(value)} ${unit}${value === 1 ? '' : 's'}`

/** 12.5%; what is there is never nothing. */
export function shownShare(value: number, of: number): string {
  const part = of === 0 ? 0 : value / of
  return part > 0 && part < 0.001 ? `< ${share.format(0.001)}` : share.format(part)
}
