import { createHash, timingSafeEqual } from 'node:crypto'

/** The parts of an imgix URL. */
export interface ImgixAddress {
  readonly source: string
  /** As sent, from the slash after the source on: that of imgix. */
  readonly path: string
  /** Without the signature. */
  readonly query: string
  readonly signature: string | undefined
}

const ADDRESS = /^\/imgix\/([a-z0-9][a-z0-9-]{0,47})(\/[^?#]+)(?:\?([^#]*))?$/
const SIGNATURE = /(?:^|&)s=([^&]*)/

/** Undefined for what does not look like one. */
export function readImgixAddress(url: string): ImgixAddress | undefined {
  const [, source, path, sentQuery = ''] = ADDRESS.exec(url) ?? []
  if (source === undefined || path === undefined) return undefined
  const [, signature] = SIGNATURE.exec(sentQuery) ?? []
  return { source, path, query: sentQuery.replace(SIGNATURE, '').replace(/^&/, ''), signature }
}

/** MD5 of the token, the path and the query, in hexadecimal digits. */
export const imgixSignature = ({ path, query }: Pick<ImgixAddress, 'path' | 'query'>, token: string): string =>
  createHash('md5')
    .update(`${token}${path}${query === '' ? '' : `?${query}`}`)
    .digest('hex')

export function isImgixSigned(address: ImgixAddress, tokens: readonly string[]): boolean {
  const sentBytes = Buffer.from(address.signature ?? '', 'latin1')
  return tokens.some((token) => {
    const right = Buffer.from(imgixSignature(address, token), 'latin1')
    return sentBytes.length === right.length && timingSafeEqual(right, sentBytes)
  })
}
