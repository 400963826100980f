import { z } from 'zod'
import { limits } from '../contract/limits.ts'
import { guessable } from './guessable-passwords.ts'

const { min, max } = limits.passwordLength

/** Never trimmed. NFKC, as NIST SP 800-63B §3.1.1.2 says: keyboards write one character in several ways. */
const normal = z.string().transform((typed) => typed.normalize('NFKC'))

/** NIST counts each code point as one character. */
const length = (text: string): number => [...text].length

/** A password of the operator's settings: one that was set before common ones were refused must not keep a server from starting. */
export const givenPassword = normal
  .refine((text) => length(text) >= min, { error: `Must have at least ${min} characters.`, abort: true })
  .refine((text) => length(text) <= max, { error: `Must have at most ${max} characters.`, abort: true })

/** A password to be set. NIST forbids rules on what it is made of, and asks that those that are guessed first be refused. */
export const newPassword = givenPassword
  .superRefine((text, context) => {
    const message = guessable(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({
    description: `${min} to ${max} characters of any kind. Common passwords, repetitions and sequences are refused.`,
    ...{ minLength: min, maxLength: max },
  })

/** A password to be checked: whatever was typed. */
export const typedPassword = normal.describe('The password.')
