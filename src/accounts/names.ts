import { z } from 'zod'
import { limits } from '../contract/limits.ts'

const CONTROL = /\p{Cc}/u
/** The same for JSON Schema, whose patterns not every validator reads with Unicode properties. */
const CONTROLS = '\\u0000-\\u001f\\u007f-\\u009f'
const SHOWN = `[^${CONTROLS}]`

/** Composed, so that what looks the same is the same. PostgreSQL's text holds no NUL, and no list shows a line break. */
const line = z
  .string()
  .refine((text) => text.isWellFormed() && !CONTROL.test(text), 'Must be one line of text.')
  .transform((text) => text.normalize('NFC').trim())

const fits = (text: string) => [...text].length <= limits.nameLength
const tooLong = `Must have at most ${limits.nameLength} characters.`

/** What a person is called; may be blank. */
export const personName = line
  .refine(fits, tooLong)
  .meta({ description: `At most ${limits.nameLength} characters.`, maxLength: limits.nameLength, pattern: `^${SHOWN}*$` })

/** What its owner calls an API key. */
export const keyName = line
  .refine((text) => text !== '', 'Must not be blank.')
  .refine(fits, tooLong)
  .meta({
    description: `1 to ${limits.nameLength} characters, to tell it from others.`,
    ...{ minLength: 1, maxLength: limits.nameLength, pattern: `^${SHOWN}*[^\\s${CONTROLS}]${SHOWN}*$` },
  })
