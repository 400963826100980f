import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { ROOT } from '@pixelmill/codecs/installation'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'
import { type PageFile, pageReply } from './dashboard.ts'
import type { Html } from './html.ts'
import { sizeRules } from './section-size.ts'

const WEB = join(ROOT, 'apps/dashboard/web')

const text = (path: string): string => readFileSync(path, 'utf8')

const COMMENT = /\/\*[^*]*\*\/\s*/g

/** Those of the dashboard first; later sheets override earlier ones. */
const SHEETS = [
  ...['tokens', 'base'].map((name) => join(WEB, `${name}.css`)),
  ...['frame', 'navigation', 'text', 'code', 'guides', 'widths'].map((name) =>
    join(ROOT, 'apps/server/src/pages/styles', `${name}.css`),
  ),
]

/** The style sheet of the documentation: the dashboard's, and its own. */
export const style = [...SHEETS.map((path) => text(path).replace(COMMENT, '')), sizeRules].join('\n')

/** The policy of the pages allows the style sheet by this hash. */
export const STYLE_HASH = createHash('sha256').update(style).digest('base64')

/** The logo. */
export const MARK = text(join(WEB, 'icon.svg')).trim()

/** One style sheet by its hash, scripts of this server only, nothing else inline. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${STYLE_HASH}'`,
  "script-src 'self'",
  'img-src data:',
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const HEADERS = { 'content-security-policy': POLICY, 'referrer-policy': 'same-origin', 'cache-control': 'no-cache' }

/** Of 11 levels; a fifth of a mebibyte takes some 10 ms. */
const BROTLI_QUALITY = 6

/** A text as it is sent: its bytes are prepared once, compressed too. */
export function fileOf(text: string, mime: string): PageFile {
  const bytes = Buffer.from(text)
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length }
  return {
    mime,
    etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 16),
    bytes,
    encoded: new Map([
      ['br', brotliCompressSync(bytes, { params })],
      ['gzip', gzipSync(bytes)],
    ]),
  }
}

/** Answers with a text that is rendered and compressed at the first request. */
export function madeOnce(
  make: () => string | Promise<string>,
  mime = 'text/html; charset=utf-8',
): (call: Call) => Promise<Reply> {
  let madeFile: PageFile | undefined
  return async (call) => {
    madeFile ??= fileOf(await make(), mime)
    return pageReply(madeFile, call, HEADERS)
  }
}

/** A page of the documentation. */
export const pageRoute = (path: string, name: string, summary: string, make: () => Html | Promise<Html>): Route =>
  defineRoute({
    method: 'GET',
    path,
    name,
    tag: 'Documentation',
    summary,
    admission: 'open',
    produces: ['text/html'],
    errors: [],
    handle: madeOnce(async () => (await make()).html),
  })
