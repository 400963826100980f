import { shownDecimal } from './numbers.ts'

const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes in a readable form with three digits, in steps of 1,024 like the API's limits. */
export function shownBytes(bytes: number): string {
  let value = bytes
  let step = 0
  for (; value >= 999.5 && step < UNITS.length - 1; step++) value /= 1024
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  // 15.0 is 15.
  return `${shownDecimal(value, digits, 0)} ${UNITS[step]}`
}
