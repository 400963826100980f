const plural = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Roughly, as one would say it: "about 2 minutes left". */
export function shownTimeLeft(ms: number): string {
  const seconds = ms / 1000
  if (seconds < 8) return 'a few seconds left'
  if (seconds < 50) return `about ${Math.ceil(seconds / 10) * 10} seconds left`
  if (seconds < 3300) return `about ${plural(Math.max(1, Math.round(seconds / 60)), 'minute')} left`
  return `about ${plural(Math.max(1, Math.round(seconds / 3600)), 'hour')} left`
}
