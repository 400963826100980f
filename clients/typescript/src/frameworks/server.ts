import { createHmac } from 'node:crypto'
import { bytesOf } from '../files.ts'
import { SIGNATURE_LENGTH } from '../signing.ts'
import { addressOf, type ImageUrl, pathOf, type UrlOptions } from './url.ts'

/** Only for servers. Bundles for browsers have `no-server.ts` in its place, by the condition `browser` of package.json, so no secret gets there. */

export interface SourceAddress {
  /** Where browsers reach Pixelmill: `https://images.example.com`. */
  readonly url: string
  /** Name of the source. */
  readonly source: string
  /** The secret of the source, as the server has shown it. */
  readonly secret: string
  /** What absolute URLs of originals begin with: `https://cdn.example.com/photos/`. Other absolute URLs are left as they are. */
  readonly originals?: string | undefined
}

/** URLs of images with their signatures. @throws TypeError if the address is incomplete */
export function signedUrls({ url, source, secret, originals }: SourceAddress): ImageUrl {
  for (const [name, value] of Object.entries({ url, source, secret }))
    if (typeof value !== 'string' || value === '') throw new TypeError(`\`${name}\` of the images is missing.`)
  const key = bytesOf(secret)
  const place = url.replace(/\/$/, '')
  return (src, options) => {
    const path = pathOf(src, originals)
    if (path === undefined) return src
    const text = addressOf(`/i/${source}/${path}`, options)
    const signature = createHmac('sha256', key).update(text).digest('base64url').slice(0, SIGNATURE_LENGTH)
    return `${place}${text}${text.includes('?') ? '&' : '?'}s=${signature}`
  }
}

export interface SigningRoute {
  /** Where the route is: `/img`. */
  readonly route: string
  /** `signedUrls()` */
  readonly urls: ImageUrl
  /** The widths in pixels that images have; others are rounded up to the next. By default 26 from 32 to 3840, with those of next/image. */
  readonly widths?: readonly number[]
  /** The shapes that pictures may be cut to, as `16:9`. None by default. */
  readonly ratios?: readonly string[]
}

/** Those of next/image, and of others as many as make the step to the next at most a quarter from 256 pixels on. */
const WIDTHS = [
  32, 48, 64, 96, 128, 192, 256, 320, 384, 480, 560, 640, 750, 828, 960, 1080, 1200, 1280, 1440, 1668, 1920, 2048, 2400, 2880,
  3200, 3840,
]

/** Seconds for which browsers and proxies may keep a redirect: a replaced secret stays valid until the next. */
const MAX_AGE_S = 3600

/**
 * Redirects the URLs of `routeUrls()` to signed ones. Anyone can ask a route, and each new image costs a call: so only sizes of
 * `widths` and `ratios`, and each fifth quality, are signed.
 * @returns what answers a GET: 302, or 400 with the reason
 */
export function signingRoute({ route, urls, widths = WIDTHS, ratios = [] }: SigningRoute): (request: Request) => Response {
  const prefix = `${route.replace(/\/$/, '')}/`
  const ascendingWidths = widths.toSorted((one, other) => one - other)
  return (request) => {
    const { pathname, searchParams } = new URL(request.url)
    // An app may be below a path of its own.
    const at = pathname.indexOf(prefix)
    const path = at < 0 ? '' : pathname.slice(at + prefix.length)
    try {
      // What begins with two slashes is another host, to which nobody must be sent from here.
      if (path === '' || path.startsWith('/')) throw new RangeError(`The path must begin with ${prefix}, and name a picture.`)
      const location = urls(`/${path}`, signableOptions(searchParams, ascendingWidths, ratios))
      const headers = { Location: location, 'Cache-Control': `public, max-age=${MAX_AGE_S}` }
      return new Response(null, { status: 302, headers })
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      return new Response(error.message, { status: 400, headers: { 'Cache-Control': 'no-store' } })
    }
  }
}

const SIGNABLE = ['w', 'h', 'fit', 'q', 'f']
const FORMATS = ['auto', 'webp', 'avif', 'jpeg', 'png', 'gif']
const FITS = ['inside', 'outside', 'cover', 'contain', 'fill'] as const

/** @throws RangeError for what the route does not sign */
function signableOptions(params: URLSearchParams, widths: readonly number[], ratios: readonly string[]): UrlOptions {
  for (const name of params.keys())
    if (!SIGNABLE.includes(name)) throw new RangeError(`This route does not sign the parameter ${name.slice(0, 40)}.`)
  const least = integerOf(params, 'w')
  if (least === undefined) throw new RangeError('A width is missing: w.')
  const width = widths.find((each) => each >= least) ?? widths.at(-1) ?? least
  const asHigh = integerOf(params, 'h')
  const ratio = ratios.map(sidesOf).find(([w, h]) => asHigh !== undefined && Math.abs((least * h) / w - asHigh) <= 1)
  if (asHigh !== undefined && !ratio) throw new RangeError(`${least}:${asHigh} is not among the \`ratios\` of this route.`)
  const quality = integerOf(params, 'q')
  return {
    width,
    height: ratio && (width * ratio[1]) / ratio[0],
    fit: oneOf(FITS, params, 'fit'),
    quality: quality === undefined ? undefined : Math.min(100, 5 * Math.ceil(quality / 5)),
    format: oneOf(FORMATS, params, 'f'),
  }
}

function integerOf(params: URLSearchParams, name: string): number | undefined {
  const text = params.get(name)
  if (text === null) return undefined
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError(`${name} must be an integer above 0.`)
  return Number(text)
}

function oneOf<Value extends string>(values: readonly Value[], params: URLSearchParams, name: string): Value | undefined {
  const text = params.get(name)
  if (text === null) return undefined
  const value = values.find((each) => each === text)
  if (value === undefined) throw new RangeError(`${name} must be one of ${values.join(', ')}.`)
  return value
}

/** The sides of `16:9`. */
function sidesOf(ratio: string): readonly [width: number, height: number] {
  const [width = 0, height = 0] = ratio.split(':').map(Number)
  return [width, height]
}
