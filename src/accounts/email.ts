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

/** One address has one spelling: trimmed, composed (RFC 6532 §3.1), in small letters. Undefined when it is none. */
export function normalEmail(typed: string): string | undefined {
  const text = typed.trim().normalize('NFC').toLowerCase().normalize('NFC')
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = normalDomain(text.slice(at + 1))
  if (!LOCAL_PART.test(local) || domain === undefined) return undefined
  const email = `${local}@${domain}`
  return email.length <= limits.emailLength ? email : undefined
}

const what = `Must be an e-mail address of at most ${limits.emailLength} characters.`

/** An e-mail address as it was typed → its one spelling. */
export const email = z
  .string()
  .transform((typed, context) => {
    const normal = normalEmail(typed)
    if (normal !== undefined) return normal
    context.addIssue({ code: 'custom', message: what, params: { format: 'email' } })
    return z.NEVER
  })
  .meta({
    description: 'An e-mail address; capitals and spaces around it do not count.',
    ...{ format: 'email', maxLength: limits.emailLength },
  })
