import { z } from 'zod'

const LOOPBACK = /^localhost$|^127(\.\d+){3}$|^\[::1\]$/
const WITHOUT_PATH = /^\w+:\/\/[^/?#@]+\/?$/

/** An address without a path, as `https://example.com`. Plain http only to this machine, unless it is allowed anywhere. */
export const origin = (...schemes: readonly ('https' | 'http')[]) =>
  z
    .string()
    .refine((text) => isOrigin(text, schemes), `must be an address without a path, ${schemes.join(' or ')}://…`)
    .transform((text) => new URL(text).origin)

function isOrigin(text: string, schemes: readonly string[]): boolean {
  const url = WITHOUT_PATH.test(text) ? URL.parse(text) : null
  if (!url) return false
  return schemes.includes(url.protocol.slice(0, -1)) || (url.protocol === 'http:' && LOOPBACK.test(url.hostname))
}
