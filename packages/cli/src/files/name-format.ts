import { extname } from 'node:path'
import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'

/** The format that the extension of a name says; undefined for none that is known. */
export function formatOfName(path: string): FormatName | undefined {
  // `.jpg` alone is an extension here.
  const extension = extname(`x${path}`).slice(1).toLowerCase()
  const names = Object.keys(imageFormats) as FormatName[]
  return names.find((name) => (imageFormats[name].extensions as readonly string[]).includes(extension))
}
