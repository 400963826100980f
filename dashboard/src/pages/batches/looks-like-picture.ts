import { IMAGE_EXTENSIONS } from '../../api/image-operations.ts'

/** As the API has it: by these names a file claims to be a picture. */
const PICTURE_NAME = new RegExp(`\\.(${IMAGE_EXTENSIONS.join('|')})$`, 'i')

/** First bytes of each format that is read, `.` for any byte. */
const BEGINNINGS = [
  /^\xff\xd8\xff/,
  /^\x89PNG\r\n/,
  /^RIFF.{4}WEBP/s,
  /^GIF8[79]a/,
  /^BM.{4}\0{4}/s,
  /^II\*\0/,
  /^MM\0\*/,
  /^.{4}ftyp(?:.{4})*?(?:hei[cmsx]|hev[cmsx]|mif[12]|msf1|avi[fs])/s,
]
const HEAD_BYTES = 64

/** For a field that chooses files: browsers do not know all of these extensions as images. */
export const ACCEPTED_PICTURES = ['image/*', ...IMAGE_EXTENSIONS.map((extension) => `.${extension}`)].join(',')

export const isPictureName = (path: string): boolean => PICTURE_NAME.test(path)

/** Whether the server will take it for a picture: by its name, else by its first bytes. */
export async function looksLikePicture(path: string, file: Blob): Promise<boolean> {
  if (isPictureName(path)) return true
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  const head = String.fromCharCode(...bytes)
  return BEGINNINGS.some((beginning) => beginning.test(head))
}

const SYSTEM_FOLDER = /^__MACOSX\//

/** Files of the system's, which the server skips as well. */
export const isHidden = (path: string): boolean =>
  SYSTEM_FOLDER.test(path) || path.split('/').some((part) => part.startsWith('.'))
