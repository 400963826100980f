const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })

/** 50,000 */
export const shownNumber = (value: number): string => whole.format(value)
