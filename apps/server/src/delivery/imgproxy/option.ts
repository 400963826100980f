import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { CENTER, type Direction, directions, type Gravity, type PlacedGravity } from './gravity.ts'
import type { ImgproxyOptions } from './requested.ts'

/** Makes the error of an option. */
export type Refuse = (message: string) => Error

/** An option of imgproxy. */
export interface OptionRow {
  /** The long one first. */
  readonly names: readonly [string, ...string[]]
  /** For docs/imgproxy.md: the values, or the reason why it is refused. */
  readonly does: string
  /** What it changes. @throws the error that `refuse` makes */
  read(args: readonly string[], refuse: Refuse, before: ImgproxyOptions): Partial<ImgproxyOptions>
}

export const faultOf = (name: string, message: string): Error => invalidParam(name.slice(0, 40), 'custom', message)

const DECIMAL = /^-?(?:\d+\.?\d*|\.\d+)$/

export function number(text: string | undefined, refuse: Refuse, min = 0, max = Number.POSITIVE_INFINITY): number {
  const value = text !== undefined && DECIMAL.test(text) ? Number(text) : Number.NaN
  if (value >= min && value <= max) return value
  if (min === Number.NEGATIVE_INFINITY) throw refuse('Must be a number.')
  throw refuse(max === Number.POSITIVE_INFINITY ? `Must be a number from ${min}.` : `Must be a number from ${min} to ${max}.`)
}

export function whole(text: string | undefined, refuse: Refuse, min = 0, max = Number.POSITIVE_INFINITY): number {
  const value = number(text, refuse, min, max)
  if (!Number.isInteger(value)) throw refuse('Must be a whole number.')
  return value
}

export function positive(text: string | undefined, refuse: Refuse): number {
  const value = number(text, refuse)
  if (value === 0) throw refuse('Must be a number above 0.')
  return value
}

/** As imgproxy reads it: what it does not know is false. */
export const truth = (text: string | undefined): boolean => ['1', 't', 'T', 'TRUE', 'true', 'True'].includes(text ?? '')

export const isGiven = (text: string | undefined): text is string => text !== undefined && text !== ''

const HEXADECIMAL = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** The digits of a colour, two for each channel. */
export function hexColour(text: string, refuse: Refuse): string {
  if (!HEXADECIMAL.test(text)) throw refuse('Must be 3 or 6 hexadecimal digits.')
  const digits = text.toLowerCase()
  return digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits
}

/** An offset, which may be left out. */
export const offset = (text: string | undefined, refuse: Refuse): number =>
  isGiven(text) ? number(text, refuse, Number.NEGATIVE_INFINITY) : 0

export const isDirection = (text: string): text is Direction => Object.hasOwn(directions, text)

const NAMES = Object.keys(directions).join(', ')

/** A gravity that needs no look at the picture. */
export function placedGravity([type = '', x, y, ...more]: readonly string[], refuse: Refuse): PlacedGravity {
  if (more.length > 0) throw refuse('Has at most two offsets.')
  if (type === 'fp') return { point: { x: number(x, refuse, 0, 1), y: number(y, refuse, 0, 1) } }
  if (!isDirection(type)) throw refuse(`Must be one of ${NAMES}, or fp:x:y.`)
  return { direction: type, x: offset(x, refuse), y: offset(y, refuse) }
}

export function anyGravity(args: readonly string[], refuse: Refuse): Gravity {
  if (args[0] === 'obj' || args[0] === 'objw') throw refuse('Objects are found by imgproxy Pro only; sm finds what is salient.')
  return args[0] === 'sm' ? 'subject' : placedGravity(args, refuse)
}

/** `1:gravity`, where the gravity may be left out. */
export function extension([isOn, ...gravity]: readonly string[], refuse: Refuse) {
  const place = gravity.length > 0 ? placedGravity(gravity, refuse) : CENTER
  return truth(isOn) ? { gravity: place } : undefined
}

/** The only argument of an option. */
export function single(args: readonly string[], refuse: Refuse): string {
  const [text = '', ...more] = args
  if (more.length > 0) throw refuse('Has one argument.')
  return text
}
