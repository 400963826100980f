import { targetFormats } from '@pixelmill/codecs/image-formats'

/** A path of a source as its URLs have it: each segment percent-encoded. */
export const encodedPath = (path: string): string => path.trim().replace(/^\/+/, '').split('/').map(encodeURIComponent).join('/')

export const formats = ['auto', ...targetFormats] as const
export type Format = (typeof formats)[number]

export interface Wanted {
  readonly width: number | undefined
  readonly format: Format
  /** In place of the others; empty for none. */
  readonly preset: string
}

/** The parameters of a URL: `w=400&f=auto`, `p=card`. */
export function queryOf({ width, format, preset }: Wanted): string {
  if (preset !== '') return `p=${encodeURIComponent(preset)}`
  return [...(width === undefined ? [] : [`w=${width}`]), `f=${format}`].join('&')
}
