const UNITS = ['B', 'KB', 'MB', 'GB', 'TB'] as const

/** Bytes as people read them: three digits, in steps of a thousand. */
export function shownBytes(bytes: number): string {
  const step = bytes < 1000 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** step
  const digits = step === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2
  return `${value.toFixed(digits)} ${UNITS[step]}`
}
