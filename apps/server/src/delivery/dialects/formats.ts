import { formatAliases, type WrittenFormat, writtenFormats } from '@pixelmill/codecs/image-formats'

/** A format by any of its names; undefined for one that cannot be written. */
export function nameOfFormat(text: string): WrittenFormat | undefined {
  const name = formatAliases.get(text.toLowerCase()) ?? text.toLowerCase()
  return writtenFormats.find((format) => format === name)
}
