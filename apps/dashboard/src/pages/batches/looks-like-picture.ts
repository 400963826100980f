import { type FormatName, isImageName } from '@pixelmill/codecs/image-formats'

/** Signatures of each accepted format, `.` for any byte; a test compares them with those of the codecs. */
const beginnings: Readonly<Record<FormatName, RegExp>> = {
  jpeg: /^\xff\xd8\xff/,
  png: /^\x89PNG\r\n/,
  webp: /^RIFF.{4}WEBP/s,
  gif: /^GIF8[79]a/,
  // A bitmap without a file header begins with the length of its info header; after the size are small numbers of planes and bits.
  bmp: /^(?:BM.{4}\0{4}|[(48@l|]\0{3}.{9}\0.\0|\f\0{3}.{5}\0.\0)/s,
  tiff: /^(?:II\*\0|MM\0\*)/,
  heic: /^.{4}ftyp(?:.{4})*?(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1)/s,
  avif: /^.{4}ftyp(?:.{4})*?avi[fs]/s,
  jxl: /^(?:\xff\n|\0{3}\fJXL \r\n\x87\n)/,
}
const HEAD_BYTES = 64

/** Whether the server will treat it as a picture: by its name, or else by its first bytes. */
export async function looksLikePicture(path: string, file: Blob): Promise<boolean> {
  if (isImageName(path)) return true
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const head = String.fromCharCode(...bytes)
  return Object.values(beginnings).some((beginning) => beginning.test(head))
}

const SYSTEM_FOLDER = /^__MACOSX\//

/** System files, which the server skips as well. */
export const isHidden = (path: string): boolean =>
  SYSTEM_FOLDER.test(path) || path.split('/').some((part) => part.startsWith('.'))
