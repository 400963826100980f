import { imageFormats } from '@pixelmill/codecs/image-formats'
import { formatOfName } from '../files/name-format.ts'
import type { ResultFacts } from './conversion.ts'

/**
 * The `<picture>` of one source's results: a `<source>` for each format but the last, which every browser is to understand.
 * @param base what is put before the paths, such as `/images/`
 */
export function pictureElement(results: readonly ResultFacts[], base: string): string {
  const formats = [...Map.groupBy(results, ({ path }) => typeOf(path))].map(([type, files]) => ({
    type,
    files: files.toSorted((one, other) => one.width - other.width),
  }))
  const last = formats.at(-1)
  const largest = last?.files.at(-1)
  if (!last || !largest) return ''
  const srcset = (files: readonly ResultFacts[]) => files.map(({ path, width }) => `${urlOf(path, base)} ${width}w`).join(', ')
  // The picture is as wide as the window, up to the width that it has.
  const sizes = `(max-width: ${largest.width}px) 100vw, ${largest.width}px`
  return [
    '<picture>',
    ...formats.slice(0, -1).map(({ type, files }) => `  <source type="${type}" srcset="${srcset(files)}" sizes="${sizes}">`),
    `  <img src="${urlOf(largest.path, base)}" srcset="${srcset(last.files)}" sizes="${sizes}"`,
    `    width="${largest.width}" height="${largest.height}" alt="" loading="lazy" decoding="async">`,
    '</picture>',
  ].join('\n')
}

/** Commas and spaces would divide a srcset, and all of HTML's own characters are encoded. */
function urlOf(path: string, base: string): string {
  const beginning = base === '' || base.endsWith('/') ? base : `${base}/`
  return beginning.replaceAll('&', '&amp;').replaceAll('"', '&quot;') + path.split('/').map(encodeSegment).join('/')
}

const encodeSegment = (segment: string): string => encodeURIComponent(segment).replaceAll("'", '%27')

function typeOf(path: string): string {
  const name = formatOfName(path)
  return name === undefined ? '' : imageFormats[name].mime
}
