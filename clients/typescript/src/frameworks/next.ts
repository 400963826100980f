import type { ImageUrl } from './url.ts'

export { routeUrls } from './url.ts'

/** What next/image tells a loader. */
export interface NextLoaderProps {
  readonly src: string
  readonly width: number
  readonly quality?: number | undefined
}

/**
 * A loader of next/image.
 * @param urls in a browser `routeUrls()`; for `getImageProps` in server components also `signedUrls()`
 */
export function nextLoader(urls: ImageUrl): (props: NextLoaderProps) => string {
  return ({ src, width, quality }) => urls(src, { width, quality })
}
