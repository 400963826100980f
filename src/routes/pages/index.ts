import { ApiError } from '../../contract/api-error.ts'
import type { Pages } from '../../dashboard/pages.ts'
import { defineRoute, type Reply, type Route } from '../../http/route.ts'
import { pageReply } from './page-reply.ts'

/** Nothing from elsewhere, no inline script, no inline style. Pictures are shown from memory: blob:. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "connect-src 'self'",
  "style-src 'self'",
  "script-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'self'",
].join('; ')

const INDEX_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  'cross-origin-opener-policy': 'same-origin',
  // Kept, and asked about each time: its name stays when its contents change.
  'cache-control': 'no-cache',
}

/** The name changes with the contents: a year is the longest that RFC 9111 has in mind. */
const ASSET_HEADERS = { 'cache-control': 'public, max-age=31536000, immutable' }

const get = (path: string, name: string, summary: string, handle: Route['handle']): Route =>
  defineRoute({
    method: 'GET',
    path,
    name,
    tag: 'Dashboard',
    summary,
    admission: 'open',
    produces: ['text/html'],
    errors: [],
    handle,
  })

const toReference: Reply = { status: 302, headers: { location: '/docs' }, body: '' }

/** The dashboard: the same document at every address that is a page, and its files. Without pages `/` leads to the reference. */
export function pageRoutes(pages: Pages | undefined): readonly Route[] {
  if (!pages) return [get('/', 'home', 'Leads to the reference.', () => toReference)]
  const { index, assets, paths } = pages
  return [
    ...paths.map((path) => get(path, `page:${path}`, 'A page.', (call) => pageReply(index, call, INDEX_HEADERS))),
    get('/assets/:file', 'asset', 'A file of the pages.', (call) => {
      const asset = assets.get(call.path.file ?? '')
      if (!asset) throw new ApiError('not_found')
      return pageReply(asset, call, ASSET_HEADERS)
    }),
  ]
}
