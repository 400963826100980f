/** PHP writes / as \\/, .NET writes + as \\u002B, and others = as \\u003d; line breaks every 76 characters come as \\r\\n (RFC 2045). */
const ESCAPE = /\\(?:([/nrtf])|u00([0-7][0-9A-Fa-f]))/g
const HALF_ESCAPE = /\\(u[0-9A-Fa-f]{0,3})?$/
const LONGEST_HALF = 5
const WHITE_SPACE = /[ \t\n\f\r]+/g
/** RFC 8259 §7: inside of a string they must be escaped. */
const CONTROL = /\p{Cc}/u

/**
 * Base64 out of a JSON string that may end within an escape sequence, which is `half`. White space is left out. No text where a
 * sequence stands for what Base64 does not have.
 */
export function unescapeBase64(raw: string): { readonly text: string | undefined; readonly half: string } {
  if (!raw.includes('\\') && !raw.includes(' ')) return { text: raw, half: '' }
  if (CONTROL.test(raw)) return { text: undefined, half: '' }
  const half = HALF_ESCAPE.exec(raw.slice(-LONGEST_HALF))?.[0] ?? ''
  const text = raw
    .slice(0, raw.length - half.length)
    .replaceAll(ESCAPE, (_, character?: string, code?: string) => {
      if (code) return String.fromCharCode(Number.parseInt(code, 16))
      return character === '/' ? '/' : ''
    })
    .replaceAll(WHITE_SPACE, '')
  return { text: text.includes('\\') ? undefined : text, half }
}
