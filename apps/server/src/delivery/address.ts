import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import { ApiError, isRefusal } from '../contract/api-error.ts'

/** The parts of a delivery URL, before its signature is checked. */
export interface Address {
  readonly source: string
  /** As sent, percent-encoded, without a leading slash. */
  readonly path: string
  /** Without the signature. */
  readonly query: string
  /** Everything from /i/ on, exactly as sent, without the signature. */
  readonly signedText: string
  readonly signature: string | undefined
}

const ADDRESS = /^\/i\/([a-z0-9][a-z0-9-]{0,47})\/([^?#]+)(?:\?([^#]*))?$/
/** The signature comes last. */
const SIGNATURE = /[?&]s=([^&]*)$/

/** Undefined for what is no address of delivery. */
export function readAddress(url: string): Address | undefined {
  const signText = SIGNATURE.exec(url)
  const signedText = signText ? url.slice(0, signText.index) : url
  const [, source, path, query = ''] = ADDRESS.exec(signedText) ?? []
  if (source === undefined || path === undefined) return undefined
  return { source, path, query, signedText, signature: signText?.[1] }
}

/** Characters of base64url: 132 bits of the 256 that HMAC-SHA-256 has. */
export const SIGNATURE_LENGTH = 22

export const signatureOf = (text: string, secret: Buffer): string =>
  createHmac('sha256', secret).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH)

/** A URL, from /i/ on, with its signature as the last parameter. */
export const signText = (text: string, secret: Buffer): string =>
  `${text}${text.includes('?') ? '&' : '?'}s=${signatureOf(text, secret)}`

/** Whether any of the secrets gives the signature, in the same time wherever they differ. */
export function isSigned(
  { signedText, signature }: Pick<Address, 'signedText' | 'signature'>,
  secrets: readonly Buffer[],
): boolean {
  if (signature?.length !== SIGNATURE_LENGTH) return false
  const sentBytes = Buffer.from(signature, 'latin1')
  return secrets.some((secret) => timingSafeEqual(Buffer.from(signatureOf(signedText, secret), 'latin1'), sentBytes))
}

/** What no file of a source may be called by, on any system: separators, control characters, and names that a dot begins. */
const UNSAFE = /[/\\\p{Cc}]|^\./u

/** Whether a name, decoded, can be a part of a path. */
export const isSegment = (name: string): boolean => name !== '' && !UNSAFE.test(name)

/**
 * The decoded segments of a path, none of which can lead out of a source.
 * @throws ApiError invalid_params
 */
export function segmentsOf(path: string): readonly string[] {
  const fault = (message: string) => invalidParam('path', 'invalid_format', message)
  let segments: readonly string[]
  try {
    segments = path.split('/').map(decodeURIComponent)
  } catch {
    throw fault('Must be percent-encoded UTF-8.')
  }
  if (!path.isWellFormed()) throw fault('Must be percent-encoded UTF-8.')
  if (!segments.every(isSegment))
    throw fault('Its parts must not be empty, begin with a dot, or contain slashes, backslashes or control characters.')
  if (Buffer.byteLength(segments.join('/')) > limits.delivery.pathBytes)
    throw fault(`Must have at most ${limits.delivery.pathBytes} bytes.`)
  return segments
}

/** Whether a path, as a URL has it, can be one of a source. */
export function isPath(path: string): boolean {
  try {
    return segmentsOf(path).length > 0
  } catch (error) {
    if (isRefusal(error)) return false
    throw error
  }
}

/** A path as a URL has it: percent-encoded, except for its slashes. */
export const encodedPath = (path: string): string => path.split('/').map(encodeURIComponent).join('/')

/** A query as a client sends it: what no URL has is percent-encoded. */
export const encodedQuery = (query: string): string =>
  query.toWellFormed().replaceAll(/[^\x21-\x7e]|["#<>\\^`{|}]/gu, encodeURIComponent)

/** @param expires in seconds since 1970 @throws ApiError invalid_signature */
export function requireInTime(expires: number | undefined, now = Date.now()): void {
  if (expires !== undefined && now >= expires * 1000) throw new ApiError('invalid_signature')
}
