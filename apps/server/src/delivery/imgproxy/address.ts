import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'

/** The parts of an imgproxy URL. */
export interface ImgproxyAddress {
  readonly signature: string
  /** What is signed: everything after the signature, from the slash on. */
  readonly signedText: string
}

/** Key and salt; an URL may be signed by any pair. */
export interface KeyPair {
  readonly key: Buffer
  readonly salt: Buffer
}

/** imgproxy's signatures have all 32 bytes of HMAC-SHA-256, as base64url. */
const ADDRESS = /^\/([A-Za-z0-9_-]{43})=?(\/[^?#]+)/

/** Undefined for what does not look like one: other paths answer as they do without this dialect. */
export function readImgproxyAddress(url: string): ImgproxyAddress | undefined {
  const [, signature, signedText] = ADDRESS.exec(url) ?? []
  return signature === undefined || signedText === undefined ? undefined : { signature, signedText }
}

export const imgproxySignature = (text: string, { key, salt }: KeyPair): string =>
  createHmac('sha256', key).update(salt).update(text).digest('base64url')

export function isImgproxySigned({ signature, signedText }: ImgproxyAddress, pairs: readonly KeyPair[]): boolean {
  const sentBytes = Buffer.from(signature, 'latin1')
  return pairs.some((pair) => timingSafeEqual(Buffer.from(imgproxySignature(signedText, pair), 'latin1'), sentBytes))
}

/** What stands in the path: options, and the URL of the original with the extension that names a format. */
export interface ImgproxyPath {
  readonly options: readonly string[]
  readonly original: string
  readonly extension: string | undefined
}

/**
 * @param endsWithName whether the last part of an encoded original's path is no part of it
 * @throws ApiError invalid_params for a path without an original
 */
export function readImgproxyPath(text: string, endsWithName: boolean): ImgproxyPath {
  const parts = text.slice(1).split('/')
  const first = parts.findIndex((part) => !part.includes(':'))
  const options = parts.slice(0, Math.max(0, first))
  const [kind, ...rest] = first < 0 ? [] : parts.slice(first)
  const isPlain = kind === 'plain' && rest.length > 0
  const encodedParts = [kind ?? '', ...(endsWithName ? rest.slice(0, -1) : rest)]
  const [encodedText = '', extension, ...more] = isPlain ? rest.join('/').split('@') : encodedParts.join('').split('.')
  if (encodedText === '' || more.length > 0)
    throw invalidParam('url', 'custom', 'The path must end with the URL of one original.')
  return { options, original: isPlain ? decodeText(encodedText) : fromBase64(encodedText), extension: extension || undefined }
}

function decodeText(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw invalidParam('url', 'invalid_format', 'The URL of the original must be percent-encoded UTF-8.')
  }
}

const BASE64URL = /^[A-Za-z0-9_-]+={0,2}$/

function fromBase64(text: string): string {
  if (!BASE64URL.test(text)) throw invalidParam('url', 'invalid_format', 'The URL of the original must be plain or base64url.')
  return Buffer.from(text, 'base64url').toString()
}
