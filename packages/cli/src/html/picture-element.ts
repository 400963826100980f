/** A file of a picture, in one format and width. */
export interface PictureFile {
  /** As it is, such as `/images/a.avif` or `/i/shop/a.jpg?w=320&s=…`. */
  readonly url: string
  /** Pixels. */
  readonly width: number
  /** Pixels, where they are known. */
  readonly height?: number
}

/** The files of one format. */
export interface PictureSource {
  /** Its media type; what the last one has is not used. */
  readonly type: string
  /** At least one. */
  readonly files: readonly PictureFile[]
}

/**
 * A `<picture>`: a `<source>` for each format but the last, which every browser is to understand. Empty without a format.
 */
export function pictureElement(sources: readonly PictureSource[]): string {
  const last = sources.at(-1)
  const largest = last && byWidth(last.files).at(-1)
  if (!last || !largest) return ''
  // The picture is as wide as the window, up to the width that it has.
  const sizes = `(max-width: ${largest.width}px) 100vw, ${largest.width}px`
  const height = largest.height === undefined ? '' : ` height="${largest.height}"`
  return [
    '<picture>',
    ...sources
      .slice(0, -1)
      .map(({ type, files }) => `  <source type="${type}" srcset="${escapeHtml(srcsetOf(files))}" sizes="${sizes}">`),
    `  <img src="${escapeHtml(largest.url)}" srcset="${escapeHtml(srcsetOf(last.files))}" sizes="${sizes}"`,
    `    width="${largest.width}"${height} alt="" loading="lazy" decoding="async">`,
    '</picture>',
  ].join('\n')
}

/** The attribute of an `<img>` before its quotes are written: `a.jpg 320w, b.jpg 640w`. */
export const srcsetOf = (files: readonly PictureFile[]): string =>
  byWidth(files)
    .map(({ url, width }) => `${url} ${width}w`)
    .join(', ')

const byWidth = (files: readonly PictureFile[]): readonly PictureFile[] => files.toSorted((one, other) => one.width - other.width)

const escapeHtml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
