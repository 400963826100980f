import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'
import { type Listener, listen } from './listener.ts'

/**
 * A stand-in for remove.bg that speaks its protocol over a real socket, with the same form, key, headers and errors; habits
 * imitate real servers.
 */

/** The request format that a service expects; services other than remove.bg use part of it. */
export interface Protocol {
  readonly path: string
  /** The header that carries the key, with its whole value; undefined where none is expected. */
  readonly key: readonly [header: string, value: string] | undefined
  readonly fileField: string
}

export const KEY = 'key-of-tests-only'
export const removeBg: Protocol = { path: '/v1.0/removebg', key: ['x-api-key', KEY], fileField: 'image_file' }

export interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly path: string
  /** The form fields without the file. */
  readonly fields: Readonly<Record<string, string>>
  readonly file: { readonly name: string; readonly type: string; readonly bytes: Buffer } | undefined
}

export interface FakeRemoveBg extends Listener {
  readonly requests: readonly Asked[]
  /** Changes the behaviour from now on. */
  become(habit: HabitName): void
}

/** Appears in messages of the stand-in, and must never appear in our output. */
export const UPSTREAM_WORDS = 'words-of-the-service'

type Answer = (response: ServerResponse, picture: Buffer, time: number) => void | Promise<void>

/** The picture with only a disc in the middle left; scaled where a size is given. */
export async function disc(picture: Buffer, size: { readonly width?: number; readonly height?: number } = {}): Promise<Sharp> {
  const { data, info } = await sharp(picture)
    .resize({ ...size, ...(size.height !== undefined && { fit: 'fill' }) })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const radius = 0.35 * Math.min(width, height)
  for (let at = 0; at < width * height; at++) {
    const distance = Math.hypot((at % width) + 0.5 - width / 2, Math.floor(at / width) + 0.5 - height / 2)
    data[at * 4 + 3] = Math.round(255 * Math.max(0, Math.min(1, radius - distance + 0.5)))
  }
  return sharp(data, { raw: { width, height, channels: 4 } })
}

const half = async (picture: Buffer, stretch = 1) => {
  const { width = 0, height = 0 } = await sharp(picture).metadata()
  return disc(picture, { width: Math.round(width / 2), height: Math.round((height / 2) * stretch) })
}

const png = (make: (picture: Buffer) => Promise<Sharp>, type = 'image/png'): Answer => {
  return async (response, picture) => {
    const bytes = await (await make(picture)).png().toBuffer()
    const { width, height } = await sharp(bytes).metadata()
    const ours = { 'X-Type': 'other', 'X-Width': width, 'X-Height': height, 'X-Credits-Charged': 1 }
    const limits = { 'X-RateLimit-Limit': 500, 'X-RateLimit-Remaining': 499, 'X-RateLimit-Reset': 1 }
    response.writeHead(200, { 'content-type': type, ...ours, ...limits }).end(bytes)
  }
}
const sends =
  (status: number, body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Answer =>
  (response) => {
    response.writeHead(status, headers).end(body)
  }
const fails = (status: number, code: string, headers = {}): Answer =>
  sends(status, JSON.stringify({ errors: [{ title: `${UPSTREAM_WORDS} ${KEY}`, code }] }), {
    'content-type': 'application/json',
    ...headers,
  })
/** The first habit for the first request, the second for all others. */
const then =
  (first: Answer, next: Answer): Answer =>
  (response, picture, time) =>
    (time === 1 ? first : next)(response, picture, time)
const endless =
  (piece: Buffer, pauseMs: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  async (response) => {
    response.writeHead(200, { 'content-type': 'image/png', ...headers })
    while (!response.destroyed) if (!response.write(piece) || pauseMs > 0) await sleep(pauseMs || 1)
  }
/** A PNG whose second half is missing. */
const cut =
  (end: (response: ServerResponse, bytes: Buffer) => void): Answer =>
  async (response, picture) => {
    end(response, await (await disc(picture)).png().toBuffer())
  }
const ok = png(disc)
const alpha = (value: number) => png(async (picture) => sharp(picture).removeAlpha().ensureAlpha(value))

export const habits = {
  ok,
  webp: async (response, picture) =>
    sends(200, await (await disc(picture)).webp().toBuffer(), { 'content-type': 'image/webp' })(response, picture, 1),
  preview: png(half),
  larger: png(async (picture) => disc(picture, { width: 2 * ((await sharp(picture).metadata()).width ?? 0) })),
  'other-shape': png((picture) => half(picture, 1.1)),
  'no-alpha': async (response, picture) =>
    sends(200, await sharp(picture).jpeg().toBuffer(), { 'content-type': 'image/jpeg' })(response, picture, 1),
  opaque: alpha(1),
  transparent: alpha(0),
  'unknown-foreground': fails(400, 'unknown_foreground'),
  '401': fails(401, 'auth_failed'),
  '402': fails(402, 'insufficient_credits'),
  '403': fails(403, 'auth_failed'),
  '404': sends(404, 'Not found'),
  '413': fails(413, 'file_too_large'),
  '429': fails(429, 'rate_limit_exceeded'),
  '429-soon': then(fails(429, 'rate_limit_exceeded', { 'retry-after': '1' }), ok),
  '429-later': fails(429, 'rate_limit_exceeded', { 'retry-after': '600' }),
  '500': fails(500, 'internal_error'),
  '500-once': then(fails(500, 'internal_error'), ok),
  '503': sends(503, '<html>Busy</html>', { 'content-type': 'text/html' }),
  json: sends(200, JSON.stringify({ data: { result_b64: 'iVBORw0KGgo=' } }), { 'content-type': 'application/json' }),
  html: sends(200, '<html>Welcome</html>', { 'content-type': 'text/html' }),
  'html-as-png': sends(200, '<html>Welcome</html>', { 'content-type': 'image/png' }),
  svg: sends(200, '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>', { 'content-type': 'image/svg+xml' }),
  'no-type': png(disc, 'application/octet-stream'),
  empty: sends(200, '', { 'content-type': 'image/png' }),
  '204': sends(204, ''),
  huge: endless(Buffer.alloc(65_536), 0),
  'huge-by-its-length': endless(Buffer.alloc(1), 50, { 'content-length': String(61 * 1024 * 1024) }),
  bomb: (response) => {
    const member = gzipSync(Buffer.alloc(1024 * 1024))
    const body = Buffer.concat(Array.from({ length: 64 }, () => member))
    response.writeHead(200, { 'content-type': 'image/png', 'content-encoding': 'gzip' }).end(body)
  },
  drip: endless(Buffer.from([0x89]), 20),
  silent: () => {},
  'hangs-up': (response) => void response.socket?.destroy(),
  'hangs-up-once': then((response) => void response.socket?.destroy(), ok),
  'hangs-up-amid': cut((response, bytes) => {
    response.writeHead(200, { 'content-type': 'image/png', 'content-length': bytes.length })
    response.write(bytes.subarray(0, bytes.length / 2), () => response.socket?.destroy())
  }),
  truncated: cut((response, bytes) => {
    response.writeHead(200, { 'content-type': 'image/png' }).end(bytes.subarray(0, bytes.length / 2))
  }),
  redirect: sends(302, '', { location: 'http://169.254.169.254/latest/meta-data/' }),
} as const satisfies Record<string, Answer>

export type HabitName = keyof typeof habits

export async function startFakeRemoveBg(habit: HabitName = 'ok', protocol: Protocol = removeBg): Promise<FakeRemoveBg> {
  const requests: Asked[] = []
  let present = habit
  let times = 0
  const listener = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://here')
    const askedValue = {
      headers: request.headers,
      path: request.url ?? '',
      ...(await formIn(request.headers, request, protocol)),
    }
    requests.push(askedValue)
    const [header, value] = protocol.key ?? []
    if (pathname !== protocol.path) return sends(404, 'Not found')(response, Buffer.of(), 1)
    if (header && request.headers[header] !== value) return fails(403, 'auth_failed')(response, Buffer.of(), 1)
    if (!askedValue.file) return fails(400, 'missing_source')(response, Buffer.of(), 1)
    return habits[present](response, askedValue.file.bytes, ++times)
  })
  const become = (next: HabitName) => {
    present = next
    times = 0
  }
  return { ...listener, requests, become }
}

async function formIn(headers: IncomingHttpHeaders, body: AsyncIterable<Buffer>, { fileField }: Protocol) {
  const bytes = Buffer.concat(await Array.fromAsync(body))
  const form = await new Response(bytes, { headers: { 'content-type': headers['content-type'] ?? '' } }).formData()
  const file = form.get(fileField)
  const fields = Object.fromEntries([...form].flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])))
  if (!(file instanceof File)) return { fields, file: undefined }
  return { fields, file: { name: file.name, type: file.type, bytes: Buffer.from(await file.arrayBuffer()) } }
}
