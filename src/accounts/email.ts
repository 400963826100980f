import { domainToASCII, domainToUnicode } from 'node:url'
import { z } from 'zod'
import { limits } from '../contract/limits.ts'

/** RFC 5322's dot-atom, widened to the world's letters as RFC 6531 does; quoted local parts are used by nobody. */
const LOCAL_PART = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u
const DOMAIN_LETTERS = /^[\p{L}\p{M}\p{N}.-]+$/u
/** RFC 1035 §2.3.4. Two labels at least, and the last no number: that would be an IPv4 address. */
const ASCII_DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/** `BÜCHER.example` and `xn--bcher-kva.example` are one domain, and are kept the way people read it. */
function normalDomain(domain: string): string | undefined {
  if (!DOMAIN_LETTERS.test(domain)) return undefined
  const ascii = domainToASCII(domain)
  // UTS 46 writes Cherokee in capitals, and a fraction with a slash.
  const shown = domainToUnicode(ascii).toLowerCase()
  return ascii.length <= 253 && ASCII_DOMAIN.test(ascii) && DOMAIN_LETTERS.test(shown) ? shown : undefined
}

/**
 * One address has one spelling: trimmed, composed, in small letters. NFKC, so that letters in full width and other forms of the
 * same letters do not make a second address (RFC 6532 §3.1 asks for NFC at least). Undefined when it is none.
 */
export const normalEmail = (typed: string): string | undefined => spelled(typed, 'NFKC')

/** As addresses were kept before that: what an account may be called that was made then. */
const earlierEmail = (typed: string): string | undefined => spelled(typed, 'NFC')

function spelled(typed: string, form: 'NFC' | 'NFKC'): string | undefined {
  const text = typed.trim().normalize(form).toLowerCase().normalize(form)
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = normalDomain(text.slice(at + 1))
  if (!LOCAL_PART.test(local) || domain === undefined) return undefined
  const email = `${local}@${domain}`
  return email.length <= limits.emailLength ? email : undefined
}

const what = `Must be an e-mail address of at most ${limits.emailLength} characters.`

const documented = {
  description: 'An e-mail address; capitals and spaces around it do not count.',
  ...{ format: 'email', maxLength: limits.emailLength },
}

/** What an address that was typed stands for. */
export interface TypedEmail {
  readonly email: string
  /** Differs for an address with letters in full width or other forms, under which an older account may be kept. */
  readonly earlier: string
}

/** Undefined when it is none. */
export function typedEmail(typed: string): TypedEmail | undefined {
  const email = normalEmail(typed)
  return email === undefined ? undefined : { email, earlier: earlierEmail(typed) ?? email }
}

const parsed = z.string().transform((typed, context): TypedEmail => {
  const known = typedEmail(typed)
  if (known !== undefined) return known
  context.addIssue({ code: 'custom', message: what, params: { format: 'email' } })
  return z.NEVER
})

/** An e-mail address as it was typed → its one spelling. */
export const email = parsed.transform(({ email }) => email).meta(documented)

/** The address of an account that exists. */
export const existingEmail = parsed.meta(documented)
