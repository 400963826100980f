import type { ImageUrl, UrlOptions } from './url.ts'

export { routeUrls } from './url.ts'

/** What the components of unpic tell a transformer. */
export interface UnpicOperations {
  readonly width?: number | string | undefined
  readonly height?: number | string | undefined
  readonly quality?: number | string | undefined
  readonly format?: string | undefined
  readonly fit?: UrlOptions['fit']
  readonly gravity?: string | undefined
  readonly background?: string | undefined
  readonly blur?: number | undefined
}

/**
 * A transformer of unpic's base components, such as those of `@unpic/react/base`.
 * @param urls in a browser `routeUrls()`; on a server also `signedUrls()`
 */
export function unpicTransformer(urls: ImageUrl): (src: string | URL, operations: UnpicOperations) => string {
  return (src, { width, height, quality, ...options }) =>
    urls(String(src), { ...options, width: numberOf(width), height: numberOf(height), quality: numberOf(quality) })
}

const numberOf = (value: number | string | undefined) => (value === undefined ? undefined : Number(value))
