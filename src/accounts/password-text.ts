import { z } from 'zod'
import { limits } from '../contract/limits.ts'

const { min, max } = limits.passwordLength

/** Never trimmed. NFKC, as NIST SP 800-63B §3.1.1.2 says: keyboards write one character in several ways. */
const normal = z.string().transform((typed) => typed.normalize('NFKC'))

/** NIST counts each code point as one character. */
const length = (text: string): number => [...text].length

/** A password to be set. Long is all it has to be: NIST forbids rules on what it is made of. */
export const newPassword = normal
  .refine((text) => length(text) >= min, `Must have at least ${min} characters.`)
  .refine((text) => length(text) <= max, `Must have at most ${max} characters.`)
  .meta({ description: `${min} to ${max} characters of any kind.`, minLength: min, maxLength: max })

/** A password to be checked: whatever was typed. */
export const typedPassword = normal.describe('The password.')
