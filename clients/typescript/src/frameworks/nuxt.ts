import { routeUrls, type UrlOptions } from './url.ts'

/** A provider of Nuxt Image 2. */

/** What Nuxt Image tells a provider. */
export interface NuxtImageContext {
  readonly modifiers?: NuxtModifiers | undefined
  /** `options` of the provider: where the route is that signs. */
  readonly baseURL?: string | undefined
  /** `options` of the provider: what absolute URLs of originals begin with. */
  readonly originals?: string | undefined
}

export interface NuxtModifiers extends Omit<UrlOptions, 'fit' | 'quality'> {
  readonly fit?: string | undefined
  readonly quality?: number | string | undefined
}

export interface NuxtProvider {
  getImage(src: string, context: NuxtImageContext): { readonly url: string }
}

const provider: NuxtProvider = {
  getImage(src, { modifiers = {}, baseURL = '/img', originals }) {
    const { width, height, quality, fit, format, gravity, background, blur } = modifiers
    const options = { width, height, fit: fit as UrlOptions['fit'], format, gravity, background, blur }
    const urls = routeUrls({ route: baseURL, originals })
    return { url: urls(src, { ...options, quality: quality === undefined ? undefined : Number(quality) }) }
  },
}

// biome-ignore lint/style/noDefaultExport: Nuxt Image takes the default export of a provider.
export default (): NuxtProvider => provider
