import { z } from 'zod'
import { cleanWords, shortened } from './clean-words.ts'

/** Fields of a model's answer: what is asked for is exact, what is taken is whatever can be made sense of. */

const said = <Value>(type: string, read: (value: unknown) => Value) => z.unknown().optional().transform(read).meta({ type })

/** Text in at most so many characters, cleaned; empty where there is none. */
export const wordsOf = (value: unknown, most: number): string =>
  typeof value === 'string' ? shortened(cleanWords(value), most) : ''

export const wordsField = (most: number) => said('string', (value) => wordsOf(value, most))

const UNSURE = 0.5

/** 0 to 1, in hundredths. Some models mean per cent. Of lists no number is made: those inside each other by the thousand end the stack. */
export const fractionField = said('number', (value) => {
  const number = typeof value === 'string' ? Number.parseFloat(value) : typeof value === 'number' ? value : Number.NaN
  const isPercent = number > 1 && number <= 100
  const fraction = isPercent ? number / 100 : Math.min(1, Math.max(0, number))
  return Number.isFinite(fraction) ? Math.round(fraction * 100) / 100 : UNSURE
})

export const flagField = said('boolean', (value) => value === true || value === 'true')

/** Different texts, none empty. A few more are looked at than are taken, and not all the thousands that a hostile model may send. */
export const listField = (count: number, most: number) =>
  z
    .array(z.string())
    .catch([])
    .default([])
    .transform((texts) => texts.slice(0, 4 * count).map((text) => wordsOf(text, most)))
    .transform((texts) => [...new Set(texts.filter((text) => text !== ''))].slice(0, count))
