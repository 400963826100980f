import { locale } from './locale.ts'
import { shownDecimal, shownNumber } from './numbers.ts'

const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' })
const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' })
// English, since it is part of the pages' sentences.
const relative = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })

const second = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' })
const time = new Intl.DateTimeFormat(locale, { timeStyle: 'medium' })

export const shownSecond = (at: string): string => second.format(new Date(at))
export const shownTime = (at: string): string => time.format(new Date(at))
export const shownMoment = (at: string): string => moment.format(new Date(at))
export const shownDay = (at: string): string => day.format(new Date(at))

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
  for (const [unit, length] of STEPS) if (Math.abs(ms) >= length) return relative.format(Math.round(ms / length), unit)
  return 'just now'
}

/** "in 25 seconds", "in 3 minutes"; "now" once it is over. */
export function shownUntil(at: string, now = Date.now()): string {
  const ms = Math.max(0, new Date(at).getTime() - now)
  for (const [unit, length] of STEPS) if (ms >= length) return relative.format(Math.round(ms / length), unit)
  return relative.format(Math.ceil(ms / 1000), 'second')
}
