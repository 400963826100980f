import { createHash, timingSafeEqual } from 'node:crypto'

const SHORT = 8

/** Signatures have 8 characters of SHA-1, or 32 of SHA-256, in base64url. */
export function cloudinarySignature(text: string, secret: string, length: number): string {
  const hash = createHash(length === SHORT ? 'sha1' : 'sha256')
  return hash.update(text).update(secret).digest('base64url').slice(0, length)
}

/** Whether any of the secrets signs the text, as it is sent or decoded: clients sign before they encode. */
export function isCloudinarySigned(text: string, signature: string, secrets: readonly string[]): boolean {
  const sentBytes = Buffer.from(signature, 'latin1')
  return secrets.some((secret) =>
    [text, decodedText(text)].some((signedText) =>
      timingSafeEqual(Buffer.from(cloudinarySignature(signedText, secret, signature.length), 'latin1'), sentBytes),
    ),
  )
}

function decodedText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
