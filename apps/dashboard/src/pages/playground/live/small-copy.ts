import { MOST_PREVIEW_PIXELS } from '../../../api/tool-forms.ts'
import type { ShownPicture } from '../shown-picture.ts'

/** A still copy of a picture that previews are made from. */
export interface SmallCopy {
  readonly file: File
  readonly width: number
  readonly height: number
}

/** Each picture is copied once, by the most pixels of the copy. */
const copies = new WeakMap<ShownPicture, Map<number, Promise<SmallCopy>>>()

/**
 * @param type of the picture's file, which the copy keeps if the browser can write it: else it is a PNG
 * @param mostPixels fewer where steps make the picture larger, since the preview has the same limit
 */
export function smallCopy(picture: ShownPicture, type: string, mostPixels = MOST_PREVIEW_PIXELS): Promise<SmallCopy> {
  const copiesOfPicture = copies.get(picture) ?? new Map<number, Promise<SmallCopy>>()
  copies.set(picture, copiesOfPicture)
  const cachedCopy = copiesOfPicture.get(mostPixels)
  if (cachedCopy) return cachedCopy
  const copy = makeCopy(picture, type, mostPixels)
  copiesOfPicture.set(mostPixels, copy)
  copy.catch(() => copiesOfPicture.delete(mostPixels))
  return copy
}

/** Higher, and the copy's own faults are not visible. */
const COPY_QUALITY = 0.95

async function makeCopy({ url, width, height }: ShownPicture, type: string, mostPixels: number): Promise<SmallCopy> {
  // Rounded down, so that the product stays within the limit.
  const factor = Math.min(1, Math.sqrt(mostPixels / (width * height)))
  const size = { width: Math.max(1, Math.floor(width * factor)), height: Math.max(1, Math.floor(height * factor)) }
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = Object.assign(document.createElement('canvas'), size)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser cannot draw.')
  pen.imageSmoothingQuality = 'high'
  pen.drawImage(image, 0, 0, size.width, size.height)
  const bytes = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, COPY_QUALITY))
  if (!bytes) throw new Error('The browser cannot copy the picture.')
  return { ...size, file: new File([bytes], 'preview', { type: bytes.type }) }
}
