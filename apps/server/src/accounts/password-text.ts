import { createRequire } from 'node:module'
import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'

const { min, max } = limits.passwordLength

/** Never trimmed. NFKC, as NIST SP 800-63B §3.1.1.2 says: keyboards write one character in several ways. */
const normal = z.string().transform((typedText) => typedText.normalize('NFKC'))

/** NIST counts each code point as one character. */
const length = (text: string): number => [...text].length

/** A password in the operator's settings. Common ones are allowed here: older settings must not prevent a start. */
export const givenPassword = normal
  .refine((text) => length(text) >= min, { error: `Must have at least ${min} characters.`, abort: true })
  .refine((text) => length(text) <= max, { error: `Must have at most ${max} characters.`, abort: true })

/** A password to be set. NIST forbids composition rules, and requires that common passwords be refused. */
export const newPassword = givenPassword
  .superRefine((text, context) => {
    const message = guessable(text)
    if (message !== undefined) context.addIssue({ code: 'custom', message })
  })
  .meta({
    description: `${min} to ${max} characters of any kind. Common passwords, repetitions and sequences are refused.`,
    minLength: min,
    maxLength: max,
  })

/** A password to be checked; anything may be typed. */
export const typedPassword = normal.describe('The password.')

const PACKAGE = '@zxcvbn-ts/language-common'
/** What is used of the package: 49,000 passwords from leaks, in small letters. */
const lists = z.object({ dictionary: z.object({ 'passwords-common': z.array(z.string()) }) })

let common: ReadonlySet<string> | undefined

/** Loaded when a password is first set: it takes 30 ms and 20 MB, which most processes never need. */
function commonPasswords(): ReadonlySet<string> {
  const { dictionary } = lists.parse(createRequire(import.meta.url)(PACKAGE))
  return new Set(dictionary['passwords-common'].filter((password) => password.length >= min))
}

/**
 * Why a password is easy to guess (NIST SP 800-63B §3.1.1.2: leaked passwords, words of the service); undefined where it is not.
 * Upper case and trailing punctuation do not make it harder.
 */
function guessable(password: string): string | undefined {
  const text = password.toLowerCase()
  const unit = repeatedUnit(text)
  if ([...unit].length < min && unit !== text) return 'Must not repeat the same few characters.'
  if (isSequence(unit)) return 'Must not be a sequence such as 12345678.'
  common ??= commonPasswords()
  const bare = unit.replace(/[^\p{L}\p{N}]+$/u, '')
  if (common.has(unit) || common.has(bare) || (bare.startsWith('pixelmill') && bare.length < min + 4))
    return 'Is one of the most common passwords; take another one.'
  return undefined
}

/** The shortest text of which this one is at least two repetitions, the last perhaps cut; else the text itself. */
function repeatedUnit(text: string): string {
  const characters = [...text]
  for (let length = 1; length * 2 <= characters.length; length++) {
    if (characters.every((character, at) => at < length || character === characters[at - length]))
      return characters.slice(0, length).join('')
  }
  return text
}

/** Each character follows the one before, up or down: abcdefgh, 87654321. */
function isSequence(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const steps = new Set(points.slice(1).map((point, at) => point - (points[at] ?? 0)))
  return steps.size === 1 && (steps.has(1) || steps.has(-1))
}
