import { shownDecimal } from './numbers.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

/** Bytes in a readable form with three digits, in steps of 1,000, as browsers and disks say it. No line ends before the unit. */
export function shownBytes(bytes: number): string {
  let value = bytes
  let step = 0
  for (; value >= 999.5 && step < UNITS.length - 1; step++) value /= 1000
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  // 15.0 is 15.
  return `${shownDecimal(value, digits, 0)}\u00a0${UNITS[step]}`
}
