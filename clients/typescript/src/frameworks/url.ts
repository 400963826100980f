/** What is done to the original; the values are those of delivery by URL. */
export interface UrlOptions {
  /** Pixels of the box, 1–10,000, rounded. */
  readonly width?: number | undefined
  readonly height?: number | undefined
  /** `cover` where both sides are given; otherwise it has no effect. */
  readonly fit?: 'inside' | 'outside' | 'cover' | 'contain' | 'fill' | undefined
  /** `center`, `north` … `northwest`, `subject`, or a focal point: `0.3,0.6`. */
  readonly gravity?: string | undefined
  /** 1–100. */
  readonly quality?: number | undefined
  /** `auto`, the default, chooses by the header Accept. */
  readonly format?: string | undefined
  /** The colour of what is transparent: `fff` or `#ffcc00`. */
  readonly background?: string | undefined
  /** Sigma of a Gaussian in pixels, 0.3–100. */
  readonly blur?: number | undefined
  /** When the URL ends, to the second. Not for routes: each redirect has a URL of its own. */
  readonly expires?: Date | undefined
}

/**
 * The URL of an image.
 * @param src a path of the source, or an absolute URL of an original; percent-encoded or not
 */
export type ImageUrl = (src: string, options?: UrlOptions) => string

export interface RouteAddress {
  /** Where the route of the app is, which signs: `/img`. */
  readonly route: string
  /** What absolute URLs of originals begin with: `https://cdn.example.com/photos/`. Other absolute URLs are left as they are. */
  readonly originals?: string | undefined
}

/** URLs of a route of the app that signs (`signingRoute` of `pixelmill-client/server`): browsers can make them, too. */
export function routeUrls({ route, originals }: RouteAddress): ImageUrl {
  return (src, options) => {
    const path = pathOf(src, originals)
    return path === undefined ? src : addressOf(`${route.replace(/\/$/, '')}/${path}`, options)
  }
}

/**
 * The path of an original in its source, percent-encoded, without a leading slash.
 * Undefined for what is none of this source: other absolute URLs, and `data:` and `blob:`.
 */
export function pathOf(src: string, originals?: string): string | undefined {
  const isOriginal = originals !== undefined && src.startsWith(originals)
  if (!isOriginal && /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i.test(src)) return undefined
  const path = (isOriginal ? src.slice(originals.length) : src).replace(/^\/+/, '')
  const encodedPath = encodeURI(path).replace(/%25(?=[0-9a-f]{2})/gi, '%')
  return encodedPath.replaceAll('?', '%3F').replaceAll('#', '%23')
}

/** An address with the options as short parameters. */
export function addressOf(address: string, options: UrlOptions = {}): string {
  const query = Object.entries(parametersOf(options))
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  return query === '' ? address : `${address}?${query}`
}

function parametersOf({
  width,
  height,
  fit,
  gravity,
  quality,
  format,
  background,
  blur,
  expires,
}: UrlOptions): Record<string, string> {
  const isBox = width !== undefined || height !== undefined
  const isWhole = width !== undefined && height !== undefined
  const values = {
    w: width === undefined ? undefined : Math.max(1, Math.round(width)),
    h: height === undefined ? undefined : Math.max(1, Math.round(height)),
    fit: isWhole ? (fit ?? 'cover') : undefined,
    g: isBox ? gravity : undefined,
    q: quality,
    f: format === 'jpg' ? 'jpeg' : format,
    bg: background?.replace(/^#/, ''),
    blur,
    e: expires && Math.floor(expires.getTime() / 1000),
  }
  return Object.fromEntries(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, `${value}`]])))
}
