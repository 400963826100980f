import { imageFormats } from '@pixelmill/codecs/image-formats'
import { formatOfName } from '../files/name-format.ts'
import { pictureElement } from '../html/picture-element.ts'
import type { ResultFacts } from './conversion.ts'

/**
 * The `<picture>` of one source's results.
 * @param base what is put before the paths, such as `/images/`
 */
export function pictureOfResults(results: readonly ResultFacts[], base: string): string {
  const sources = [...Map.groupBy(results, ({ path }) => typeOf(path))].map(([type, files]) => ({
    type,
    files: files.map(({ path, width, height }) => ({ url: urlOf(path, base), width, height })),
  }))
  return pictureElement(sources)
}

/** Commas and spaces would divide a srcset. */
function urlOf(path: string, base: string): string {
  const beginning = base === '' || base.endsWith('/') ? base : `${base}/`
  return beginning + path.split('/').map(encodeSegment).join('/')
}

const encodeSegment = (segment: string): string => encodeURIComponent(segment).replaceAll("'", '%27')

function typeOf(path: string): string {
  const name = formatOfName(path)
  return name === undefined ? '' : imageFormats[name].mime
}
