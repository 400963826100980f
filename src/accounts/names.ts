import { z } from 'zod'
import { limits } from '../contract/limits.ts'

const CONTROL = /\p{Cc}/u

/** Composed, so that what looks the same is the same. PostgreSQL's text holds no NUL, and no list shows a line break. */
const line = z
  .string()
  .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'Must be one line of text.')
  .transform((text) => text.normalize('NFC').trim())

const fits = (text: string) => [...text].length <= limits.nameLength
const tooLong = `Must have at most ${limits.nameLength} characters.`

/** What a person is called; may be blank. */
export const personName = line.refine(fits, tooLong).describe(`At most ${limits.nameLength} characters.`)

/** What its owner calls an API key. */
export const keyName = line
  .refine((text) => text !== '', 'Must not be blank.')
  .refine(fits, tooLong)
  .describe(`1 to ${limits.nameLength} characters, to tell it from others.`)
