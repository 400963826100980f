/** Numbers and names as people read them in a terminal. */

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

/** Such as `18 kB` or `1.2 GB`, with the decimal units of file managers. */
export function bytesText(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, Math.abs(bytes))) / 3)))
  if (step === 0) return `${bytes} B`
  const unit = UNITS[step] ?? 'byte'
  const maximumSignificantDigits = Math.abs(bytes) / 1000 ** step < 100 ? 2 : 3
  return new Intl.NumberFormat('en', { style: 'unit', unit, maximumSignificantDigits }).format(bytes / 1000 ** step)
}

export const countText = (number: number): string => new Intl.NumberFormat('en').format(number)

/** Such as `2,000 images`. */
export const imagesText = (number: number): string => `${countText(number)} ${number === 1 ? 'image' : 'images'}`

/** Such as `1.4`, `161` or `2,310` a second. */
export const rateText = (rate: number): string =>
  new Intl.NumberFormat('en', { maximumSignificantDigits: rate < 1000 ? 3 : 4 }).format(rate)

/** Such as `8.4 s`, `3 min 20 s` or `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.floor(seconds % 60)} s`
  return `${countText(Math.floor(minutes / 60))} h ${minutes % 60} min`
}

/** How much smaller results are, such as `74 % smaller`. */
export function savedText(before: number, after: number): string {
  if (before === 0) return 'the same size'
  const wholePercent = Math.round((100 * Math.abs(before - after)) / before)
  // Something is left of it.
  const percent = after > 0 && after < before ? Math.min(99, wholePercent) : wholePercent
  return percent === 0 ? 'the same size' : `${percent} % ${after < before ? 'smaller' : 'larger'}`
}

/**
 * Control characters; those that set the direction of text or end a line (Unicode: Bidi_Control, Zl, Zp), which would let a name look
 * like another; and halves of surrogate pairs.
 */
const CONTROL = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/gu

/** A name in one line: characters that a terminal would obey as escapes. */
export const nameText = (name: string): string => name.replaceAll(CONTROL, escapeCharacter)

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
