import type { Codec } from '../../codecs/codec.ts'

/** What files of a format are called beside its usual extension. */
const others: Partial<Record<Codec['name'], readonly string[]>> = {
  jpeg: ['jpeg', 'jpe', 'jfif'],
  bmp: ['dib'],
  tiff: ['tif'],
  heic: ['heif', 'hif'],
}

const LAST_EXTENSION = /\.([a-z0-9]{1,5})$/i

/** The extension of the original name in lower case, if it is one of the format's; else the format's. Without its dot. */
export function extensionOf(originalName: string, { name, extension }: Pick<Codec, 'name' | 'extension'>): string {
  const said = LAST_EXTENSION.exec(originalName)?.[1]?.toLowerCase() ?? ''
  return others[name]?.includes(said) ? said : extension
}
