import { shownDecimal, shownNumber } from './numbers.ts'

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB'] as const

const MEGABYTE = 2 ** 20

/** A limit, in the units of settings, of errors and of the documentation: 15 MB are 15 × 1,048,576 bytes. */
export const shownLimit = (bytes: number): string => {
  const megabytes = bytes / MEGABYTE
  return megabytes % 1024 === 0 ? `${shownNumber(megabytes / 1024)}\u00a0GB` : `${shownNumber(Math.floor(megabytes))}\u00a0MB`
}

/** Bytes in a readable form with three digits, in steps of 1,000, as browsers and disks say it. No line ends before the unit. */
export function shownBytes(bytes: number): string {
  let value = bytes
  let step = 0
  for (; value >= 999.5 && step < UNITS.length - 1; step++) value /= 1000
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  // 15.0 is 15.
  return `${shownDecimal(value, digits, 0)}\u00a0${UNITS[step]}`
}
