import { createHash } from 'node:crypto'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { PageFile } from '../../dashboard/pages.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { pageReply } from '../pages/page-reply.ts'
import type { Html } from './html.ts'
import { STYLE_HASH } from './style.ts'

/** One style sheet, known by its hash; scripts of this server and of nobody else, none of them inline. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "script-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'same-origin', 'cache-control': 'no-cache' }

/** Of 11; a fifth of a mebibyte takes some 10 ms. */
const BROTLI_QUALITY = 6

function fileOf({ html }: Html): PageFile {
  const bytes = Buffer.from(html)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return {
    mime: 'text/html; charset=utf-8',
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
    bytes,
    encoded: new Map([
      ['br', brotliCompressSync(bytes, { params })],
      ['gzip', gzipSync(bytes)],
    ]),
  }
}

/** A page of the documentation, made when it is first asked for. */
export function pageRoute(path: string, name: string, summary: string, make: () => Html): Route {
  let made: PageFile | undefined
  return defineRoute({
    method: 'GET',
    path,
    name,
    tag: 'Documentation',
    summary,
    admission: 'open',
    produces: ['text/html'],
    errors: [],
    handle: (call) => {
      made ??= fileOf(make())
      return pageReply(made, call, HEADERS)
    },
  })
}
