import { dateFormat } from './locale.ts'

const utc = (options: Intl.DateTimeFormatOptions) => dateFormat({ timeZone: 'UTC', ...options })

/** Days and months of the API are in UTC, wherever the user is: "November 2026". */
export const shownUtcMonth = utc({ month: 'long', year: 'numeric' })

/** "Saturday, November 21" */
export const shownUtcDay = utc({ weekday: 'long', month: 'long', day: 'numeric' })

/** "Dec 1" */
export const shownUtcDate = utc({ month: 'short', day: 'numeric' })

/** Every day from one instant to before another, as "2026-11-21". */
export function daysBetween(start: string, end: string): readonly string[] {
  const days = Math.round((Date.parse(end) - Date.parse(start)) / 86_400_000)
  return Array.from({ length: days }, (_, day) => new Date(Date.parse(start) + day * 86_400_000).toISOString().slice(0, 10))
}
