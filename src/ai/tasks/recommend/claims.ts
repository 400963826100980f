import { codecs } from '../../../codecs/index.ts'
import type { Trials } from './choose.ts'

/** What a caller says of a file; nothing follows from it. */
export interface Claims {
  readonly filename: string
  readonly width?: number | undefined
  readonly height?: number | undefined
  readonly fileSize?: number | undefined
  readonly mimeType?: string | undefined
}

/** Other names of formats, in media types and at the ends of file names. */
const aliases: Readonly<Record<string, string>> = {
  ...{ jpg: 'jpeg', jpe: 'jpeg', jfif: 'jpeg', pjpeg: 'jpeg', apng: 'png', tif: 'tiff', dib: 'bmp' },
  ...{ heif: 'heic', hif: 'heic', avifs: 'avif', 'heic-sequence': 'heic', 'heif-sequence': 'heic', 'avif-sequence': 'avif' },
}

/** The format that a subtype or an extension means; undefined for what means no image that we know. */
function formatOf(word: string | undefined): string | undefined {
  const name = word?.toLowerCase().replace(/^x-(ms-)?/, '') ?? ''
  const format = aliases[name] ?? name
  return Object.hasOwn(codecs, format) ? format : undefined
}

/** What the claims have wrong, in sentences. Words of the caller are not repeated. */
export function contradictions(
  { filename, width, height, fileSize, mimeType }: Claims,
  bytes: number,
  file: Trials,
): readonly string[] {
  const named = formatOf(/\.([a-z0-9]{1,5})$/i.exec(filename)?.[1])
  const typed = formatOf(mimeType?.split(';')[0]?.trim().split('/')[1])
  const format = file.format.toUpperCase()
  const differ = (claim: number | undefined, fact: number) => claim !== undefined && claim !== fact
  return [
    ...(named && named !== file.format ? [`Its name ends like ${named.toUpperCase()}, but the file is ${format}.`] : []),
    ...(typed && typed !== file.format ? [`The request calls it ${typed.toUpperCase()}, but the file is ${format}.`] : []),
    ...(differ(width, file.width) || differ(height, file.height)
      ? [`It has ${file.width} × ${file.height} pixels, not what the request says.`]
      : []),
    ...(differ(fileSize, bytes) ? [`It has ${bytes.toLocaleString('en')} bytes, not what the request says.`] : []),
  ]
}
