/** PHP writes / as \/, .NET writes + as \u002B, and others = as \u003d. */
const ESCAPE = /\\(?:\/|u00([0-7][0-9A-Fa-f]))/g
const HALF_ESCAPE = /\\(u[0-9A-Fa-f]{0,3})?$/
const LONGEST_HALF = 5

/**
 * Base64 out of a JSON string that may end within an escape sequence, which is `half`. No text where a sequence stands for
 * what Base64 has not.
 */
export function unescapeBase64(raw: string): { readonly text: string | undefined; readonly half: string } {
  if (!raw.includes('\\')) return { text: raw, half: '' }
  const half = HALF_ESCAPE.exec(raw.slice(-LONGEST_HALF))?.[0] ?? ''
  const text = raw
    .slice(0, raw.length - half.length)
    .replaceAll(ESCAPE, (_, code?: string) => (code ? String.fromCharCode(Number.parseInt(code, 16)) : '/'))
  return { text: text.includes('\\') ? undefined : text, half }
}
