import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'

/** Control characters, line breaks, invisible characters and direction marks, except the joiners that scripts and emoji need. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}]|(?![\u200c\u200d])\p{Cf}/u
const JOINER = /[\u200c\u200d]/u
/** The same for JSON Schema, where not every validator supports Unicode properties: code points up to U+FFFF. */
const CONTROLS =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb'
const SHOWN = `[^${CONTROLS}]`
const SHOWN_IN_KEY = `[^${CONTROLS}\\u200c\\u200d]`

/** NFC, so that names that look the same are equal. PostgreSQL's text cannot contain NUL. */
const line = z
  .string()
  .refine(
    (text) => text.isWellFormed() && !UNSEEN.test(text),
    'Must be one line of text, without control, zero-width or direction characters.',
  )
  .transform((text) => text.normalize('NFC').trim())

const fits = (text: string) => [...text].length <= limits.nameLength
const tooLong = `Must have at most ${limits.nameLength} characters.`

/** A person's name; may be blank. */
export const personName = line
  .refine(fits, tooLong)
  .meta({ description: `At most ${limits.nameLength} characters.`, maxLength: limits.nameLength, pattern: `^${SHOWN}*$` })

/** The name of an API key. */
export const keyName = line
  .refine((text) => text !== '', 'Must not be blank.')
  // Names distinguish keys, so they must not differ invisibly.
  .refine((text) => !JOINER.test(text), 'Must have no zero-width characters.')
  .refine(fits, tooLong)
  .meta({
    description: `1 to ${limits.nameLength} characters, to distinguish it from others.`,
    minLength: 1,
    maxLength: limits.nameLength,
    pattern: `^${SHOWN_IN_KEY}*[^\\s${CONTROLS}\\u200c\\u200d]${SHOWN_IN_KEY}*$`,
  })
