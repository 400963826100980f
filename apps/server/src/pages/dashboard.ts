import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { ApiError } from '../contract/api-error.ts'
import { type Call, defineRoute, type Reply, type Route } from '../http/route.ts'

/** Types of the files that the builder writes. */
const MIMES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.jpg': 'image/jpeg',
  '.wasm': 'application/wasm',
}

/** In order of preference. */
export const ENCODINGS = [
  { name: 'br', suffix: '.br' },
  { name: 'gzip', suffix: '.gz' },
] as const

export interface PageFile {
  readonly mime: string
  /** Without quotation marks. */
  readonly etag: string
  readonly bytes: Buffer
  /** Made at the build, where smaller. */
  readonly encoded: ReadonlyMap<string, Buffer>
}

/** The built pages, held in memory: a third of a mebibyte. */
export interface Pages {
  readonly index: PageFile
  /** By name; each name has the hash of its contents. */
  readonly assets: ReadonlyMap<string, PageFile>
  /** Paths of pages, in the syntax of routes. */
  readonly paths: readonly string[]
  /** The URL of the documentation's script. */
  readonly referenceScript: string | undefined
}

/** The builder's name for the entry `reference`. */
const REFERENCE_SCRIPT = /^reference-[\w-]+\.js$/

async function readPageFile(path: string): Promise<PageFile> {
  const mime = MIMES[extname(path)]
  if (!mime) throw new Error(`the dashboard's build has a file of unknown type: ${path}`)
  const bytes = await readFile(path)
  const encodedBytes = new Map<string, Buffer>()
  for (const { name, suffix } of ENCODINGS) if (existsSync(path + suffix)) encodedBytes.set(name, await readFile(path + suffix))
  return { mime, bytes, encoded: encodedBytes, etag: createHash('sha256').update(bytes).digest('base64url').slice(0, 16) }
}

/** Reads what `apps/dashboard/build.ts` wrote. */
export async function readPages(folder: string): Promise<Pages> {
  const assets = join(folder, 'assets')
  const names = (await readdir(assets)).filter((name) => !ENCODINGS.some(({ suffix }) => name.endsWith(suffix)))
  return {
    index: await readPageFile(join(folder, 'index.html')),
    assets: new Map(await Promise.all(names.map(async (name) => [name, await readPageFile(join(assets, name))] as const))),
    referenceScript: names.filter((name) => REFERENCE_SCRIPT.test(name)).map((name) => `/assets/${name}`)[0],
    paths: JSON.parse(await readFile(join(folder, 'paths.json'), 'utf8')),
  }
}

/** Whether Accept-Encoding allows an encoding; `;q=0` refuses it (RFC 9110 §12.5.3). */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name, weight] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/)
    return name === encoding && Number(weight ?? 1) > 0
  })

/** A built file in the smallest encoding that the client accepts, or 304. */
export function pageReply(file: PageFile, { request }: Call, headers: Readonly<Record<string, string>>): Reply {
  const wantedText = request.header('accept-encoding') ?? ''
  const encoding = ENCODINGS.find(({ name }) => file.encoded.has(name) && accepts(wantedText, name))?.name
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
  const own = { ...headers, etag, vary: 'Accept-Encoding' }
  const knownTexts = request.header('if-none-match')?.split(/\s*,\s*/)
  if (knownTexts?.some((tag) => tag.replace(/^W\//, '') === etag)) return { status: 304, headers: own, body: '' }
  return {
    headers: { ...own, 'content-type': file.mime, ...(encoding && { 'content-encoding': encoding }) },
    body: (encoding && file.encoded.get(encoding)) || file.bytes,
  }
}

/** No other origin, no inline script, no inline style. Images are shown from memory: blob:. */
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
  // Revalidated each time: its URL stays the same when its content changes.
  'cache-control': 'no-cache',
}

/** The name contains a hash of the content, so that it never changes. */
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

/** The dashboard: one document for the paths of all pages, and its assets. Without a build `/` redirects to the reference. */
export function pageRoutes(pages: Pages | undefined): readonly Route[] {
  if (!pages) return [get('/', 'home', 'Redirects to the reference.', () => toReference)]
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
