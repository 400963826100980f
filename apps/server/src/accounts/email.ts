import { domainToASCII, domainToUnicode } from 'node:url'
import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'

/** RFC 5322's dot-atom with the letters of RFC 6531; quoted local parts are not supported. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN_LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
/** RFC 1035 §2.3.4. At least two labels, and the last is not a number: that would be an IPv4 address. */
const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** `BÜCHER.example` and `xn--bcher-kva.example` are the same domain, and are stored in Unicode. */
function normalDomain(domain: string): string | undefined {
  if (!DOMAIN_LETTERS.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  // UTS 46 writes Cherokee in capitals, and a fraction with a slash.
  const shownText = domainToUnicode(ascii).toLowerCase()
  return ascii.length <= 253 && ASCII_DOMAIN.test(ascii) && DOMAIN_LETTERS.test(shownText) ? shownText : undefined
}

/**
 * Normalizes an address: trimmed, NFKC, lower case. NFKC, so that full-width and other forms of the same letters do not make a second
 * address (RFC 6532 §3.1 asks for NFC at least). Undefined when it is not valid.
 */
export const normalEmail = (typedText: string): string | undefined => spellForm(typedText, 'NFKC')

/** The normal form of earlier versions, which older accounts may have. */
const earlierEmail = (typedText: string): string | undefined => spellForm(typedText, 'NFC')

function spellForm(typedText: string, form: 'NFC' | 'NFKC'): string | undefined {
  const text = typedText.trim().normalize(form).toLowerCase().normalize(form)
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = normalDomain(text.slice(at + 1))
  if (!LOCAL_PART.test(local) || domain === undefined) return undefined
  const email = `${local}@${domain}`
  return email.length <= limits.emailLength ? email : undefined
}

const what = `Must be an e-mail address of at most ${limits.emailLength} characters.`

const emailDocumentation = {
  description: 'An e-mail address; case and surrounding spaces are ignored.',
  format: 'email',
  maxLength: limits.emailLength,
}

/** A typed address in its normal forms. */
export interface TypedEmail {
  readonly email: string
  /** Differs where the address has full-width or other forms of letters; an older account may be stored under it. */
  readonly earlier: string
}

/** Undefined when it is not valid. */
export function typedEmail(typedText: string): TypedEmail | undefined {
  const email = normalEmail(typedText)
  return email === undefined ? undefined : { email, earlier: earlierEmail(typedText) ?? email }
}

const emailSchema = z.string().transform((typedText, context): TypedEmail => {
  const knownEmail = typedEmail(typedText)
  if (knownEmail !== undefined) return knownEmail
  context.addIssue({ code: 'custom', message: what, params: { format: 'email' } })
  return z.NEVER
})

/** A typed e-mail address, parsed to its normal form. */
export const email = emailSchema.transform(({ email }) => email).meta(emailDocumentation)

/** The address of an account that exists. */
export const existingEmail = emailSchema.meta(emailDocumentation)
