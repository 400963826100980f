import { createHash, timingSafeEqual } from 'node:crypto'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { decodedText } from '../dialects/values.ts'

/** The parts of a Cloudinary URL. */
export interface CloudinaryAddress {
  /** The cloud, here the source. */
  readonly cloud: string
  readonly type: 'upload' | 'fetch'
  readonly signature: string | undefined
  /** Components, decoded. */
  readonly transformations: readonly string[]
  /** The public ID with its extension, or the URL to fetch, as sent. */
  readonly original: string
  /** What is signed: all after the signature but the version, as sent. */
  readonly signedText: string
  /** Makes it another image for caches. */
  readonly version: string | undefined
}

const ADDRESS = /^\/([a-z0-9][a-z0-9-]{0,47})\/image\/(upload|fetch)\/([^?#]+)(?:\?[^#]*)?$/
const SIGNATURE = /^s--([A-Za-z0-9_-]{8}|[A-Za-z0-9_-]{32})--$/
const VERSION = /^v\d+$/
/** A parameter with its value, or a variable. */
const PART =
  /^(?:\$\w+(?:_.*|![^!]*!.*)|(?:a|ac|af|ar|b|bo|br|c|co|cs|d|dl|dn|dpr|du|e|eo|f|fl|fn|fps|g|h|if|ki|l|o|p|pg|q|r|so|sp|t|u|vc|vs|w|x|y|z)_.+)$/

/** Undefined for what does not look like one. */
export function readCloudinaryAddress(url: string): CloudinaryAddress | undefined {
  const [, cloud, type, rest] = ADDRESS.exec(url) ?? []
  if (cloud === undefined || rest === undefined || (type !== 'upload' && type !== 'fetch')) return undefined
  const segments = rest.split('/')
  const [, signature] = SIGNATURE.exec(segments[0] ?? '') ?? []
  const unsigned = signature === undefined ? segments : segments.slice(1)
  const count = transformationCount(unsigned, type)
  const [next = ''] = unsigned.slice(count)
  const version = VERSION.test(next) && unsigned.length > count + 1 ? next : undefined
  const original = unsigned.slice(count + (version === undefined ? 0 : 1)).join('/')
  if (original === '') return undefined
  return {
    cloud,
    type,
    signature,
    transformations: unsigned
      .slice(0, count)
      .map(decodedText)
      .filter((text) => text !== ''),
    original,
    signedText: [...unsigned.slice(0, count), original].join('/'),
    version,
  }
}

/** Components come before the version, or before what is none; the last segment is always of the original. */
function transformationCount(segments: readonly string[], type: 'upload' | 'fetch'): number {
  if (type === 'fetch') {
    const at = segments.findIndex((segment) => /^https?(?::|%3A)/i.test(segment))
    return at < 0 ? segments.length - 1 : segments[at - 1]?.match(VERSION) ? at - 1 : at
  }
  const version = segments.findIndex((segment) => VERSION.test(segment))
  if (version >= 0 && version < segments.length - 1 && segments.slice(0, version).every(isComponent)) return version
  const other = segments.findIndex((segment) => !isComponent(segment))
  return other < 0 ? segments.length - 1 : other
}

const isComponent = (segment: string): boolean =>
  segment === '' ||
  decodedText(segment)
    .split(',')
    .every((part) => PART.test(part))

/** The URL to fetch: clients escape it, as far as it is no plain path. @throws ApiError invalid_params */
export function fetchedUrl({ original }: CloudinaryAddress): string {
  const url = decodedText(original).replace(/^(https?:)\/+/i, '$1//')
  if (!/^https?:\/\/./i.test(url)) throw invalidParam('url', 'invalid_format', 'After fetch there must be an http or https URL.')
  return url
}

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
