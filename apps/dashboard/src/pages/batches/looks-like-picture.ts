import { HEAD_BYTES, isImageHead, isImageName } from '@pixelmill/codecs/image-formats'

/** Whether the server will treat it as a picture: by its name, or else by its first bytes. */
export async function looksLikePicture(path: string, file: Blob): Promise<boolean> {
  if (isImageName(path)) return true
  const bytes = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer())
  return isImageHead(String.fromCharCode(...bytes))
}

const SYSTEM_FOLDER = /^__MACOSX\//

/** System files, which the server skips as well. */
export const isHidden = (path: string): boolean =>
  SYSTEM_FOLDER.test(path) || path.split('/').some((part) => part.startsWith('.'))
