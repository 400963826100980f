import { dateFormat } from './locale.ts'
import { shownDecimal, shownNumber } from './numbers.ts'

export const shownSecond = dateFormat({ dateStyle: 'medium', timeStyle: 'medium' })
export const shownTime = dateFormat({ timeStyle: 'medium' })
export const shownMoment = dateFormat({ dateStyle: 'medium', timeStyle: 'short' })
export const shownDay = dateFormat({ dateStyle: 'medium' })

/** Milliseconds in a readable form. No line ends before the unit. */
export const shownDuration = (ms: number): string =>
  ms < 1000 ? `${shownNumber(ms)}\u00a0ms` : `${shownDecimal(ms / 1000, ms < 10_000 ? 2 : 1)}\u00a0s`

const STEPS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

/** "3 minutes ago"; after a week the date. */
export function shownAgo(at: string, now = Date.now()): string {
  const ms = new Date(at).getTime() - now
  if (Math.abs(ms) > 7 * 86_400_000) return shownDay(at)
  for (const [unit, length] of STEPS) if (Math.abs(ms) >= length) return inWords(Math.round(ms / length), unit)
  return 'just now'
}

/** "in 25 seconds", "in 3 minutes"; "now" once it is over. */
export function shownUntil(at: string, now = Date.now()): string {
  const ms = Math.max(0, new Date(at).getTime() - now)
  for (const [unit, length] of STEPS) if (ms >= length) return inWords(Math.round(ms / length), unit)
  return inWords(Math.ceil(ms / 1000), 'second')
}

let wordFormat: Intl.RelativeTimeFormat | undefined

/** "3 minutes ago", in English, since it is part of the pages' sentences. */
function inWords(value: number, unit: Intl.RelativeTimeFormatUnit): string {
  wordFormat ??= new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  return wordFormat.format(value, unit)
}
