import { type SourceAddress, signedUrls } from './server.ts'
import type { UrlOptions } from './url.ts'

/** An image service of Astro: `image.service` of its configuration, whose `config` is a `SourceAddress`. */

/** A picture that Astro has imported from a file of the site. */
export interface AstroPicture {
  readonly src: string
  readonly width: number
  readonly height: number
  readonly format: string
}

/** What Astro tells a service of an image: these, and attributes of the element. */
export interface AstroTransform {
  readonly src: string | AstroPicture
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly widths?: readonly number[] | undefined
  readonly densities?: readonly (number | string)[] | undefined
  readonly format?: string | undefined
  readonly quality?: number | string | undefined
  readonly fit?: string | undefined
  readonly position?: string | undefined
  readonly background?: string | undefined
  readonly [attribute: string]: unknown
}

export interface AstroImageConfig {
  readonly service: { readonly config: Partial<SourceAddress> }
}

export interface AstroSource {
  readonly transform: AstroTransform
  readonly descriptor: string
  readonly attributes: Record<string, string>
}

export interface AstroService {
  validateOptions(options: AstroTransform): AstroTransform
  getURL(options: AstroTransform, config: AstroImageConfig): string
  getSrcSet(options: AstroTransform): AstroSource[]
  getHTMLAttributes(options: AstroTransform): Record<string, unknown>
}

const service: AstroService = {
  validateOptions(options) {
    const { layout: _, ...transform } = options
    const { width, height } = sizeOf(options)
    if (width === undefined || height === undefined)
      throw new TypeError(`An image needs width and height, so that nothing moves when it loads: ${options.src}`)
    return { ...transform, width: Math.round(width), height: Math.round(height) }
  },

  getURL({ src, width, height, fit, position, quality, format, background }, { service: { config } }) {
    const path = typeof src === 'string' ? src : src.src
    // While a site is developed its own pictures are on no server.
    if (path.startsWith('/@fs/')) return path
    const level = quality === undefined ? undefined : qualityOf(quality)
    const options: UrlOptions = { width, quality: level, format, background }
    const box = fit === undefined || fit === 'none' ? {} : { height, fit: FITS[fit], gravity: gravityOf(position) }
    return signedUrls({ url: '', source: '', secret: '', ...config })(path, { ...options, ...box })
  },

  getSrcSet(options) {
    const { src, widths, densities, format } = options
    const { width = 1, height = 1 } = sizeOf(options)
    const most = typeof src === 'string' ? Number.POSITIVE_INFINITY : src.width
    const sizes = densities
      ? densities.map((density) => ({
          pixels: width * Number.parseFloat(`${density}`),
          descriptor: `${Number.parseFloat(`${density}`)}x`,
        }))
      : [...new Set((widths ?? []).map((each) => Math.min(each, most)))].map((pixels) => ({ pixels, descriptor: `${pixels}w` }))
    const attributes: Record<string, string> = format === undefined ? {} : { type: `image/${format}` }
    return sizes.map(({ pixels, descriptor }) => {
      const transform = { ...options, width: Math.round(pixels), height: Math.round((pixels * height) / width) }
      return { transform, descriptor, attributes }
    })
  },

  getHTMLAttributes(options) {
    const { src, width, height, widths, densities, formats, format, quality, fit, position, background, ...attributes } = options
    return { loading: 'lazy', decoding: 'async', ...attributes, width, height }
  },
}

/** The box in pixels; of an imported picture, a missing side follows from its own. */
function sizeOf({ src, width, height }: AstroTransform): {
  readonly width: number | undefined
  readonly height: number | undefined
} {
  if (typeof src === 'string') return { width, height }
  const ratio = src.width / src.height
  const own = height === undefined ? src.width : height * ratio
  return { width: width ?? own, height: height ?? (width ?? src.width) / ratio }
}

/** Astro's names of fits; those of Pixelmill are also taken. */
const FITS: Readonly<Record<string, UrlOptions['fit']>> = {
  cover: 'cover',
  contain: 'contain',
  fill: 'fill',
  inside: 'inside',
  outside: 'outside',
  'scale-down': 'inside',
}

/** Astro's names of qualities. */
const QUALITIES: Readonly<Record<string, number>> = { low: 50, mid: 65, high: 85, max: 100 }
const qualityOf = (quality: number | string) => QUALITIES[quality] ?? Number(quality)

const SIDES: Readonly<Record<string, string>> = { top: 'north', bottom: 'south', left: 'west', right: 'east' }

/** A position of CSS in words, such as `left top`, or a gravity. */
function gravityOf(position: string | undefined): string | undefined {
  const words = position?.split(' ').map((word) => SIDES[word] ?? word) ?? []
  const isVertical = (word: string) => word === 'north' || word === 'south'
  return (
    [...words.filter(isVertical), ...words.filter((word) => !isVertical(word) && (word !== 'center' || words.length === 1))].join(
      '',
    ) || undefined
  )
}

// biome-ignore lint/style/noDefaultExport: Astro takes the default export of a service.
export default service
