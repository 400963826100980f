/** The media type, lists of parameters such as a file's name included: longer than any that is meant. */
export const LONGEST_HEAD_BYTES = 2_048

// What the whole body's parser refuses, this refuses too; a byte order mark in a text is a character like others.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/**
 * The media type of a Base64 data URI (RFC 2397), in lower case, where these are its bytes inside a JSON string up to the
 * first comma; undefined where it is another text.
 */
export function mediaTypeOf(bytes: Buffer): string | undefined {
  const head = unescaped(bytes)?.toLowerCase()
  if (!head?.startsWith('data:') || !head.endsWith(';base64,')) return undefined
  return head.slice('data:'.length, head.indexOf(';')).trim()
}

function unescaped(bytes: Buffer): string | undefined {
  try {
    return JSON.parse(`"${utf8.decode(bytes)}"`)
  } catch {
    // Whoever reads the body as a whole says what is wrong with it.
    return undefined
  }
}
