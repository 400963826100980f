import { sendImage } from './send-image.ts'
import { decode, type ShownPicture } from './shown-picture.ts'

export interface Preview extends ShownPicture {
  /** The browser cannot show the picture itself: this was made by the API, which counted a call. */
  readonly isConverted: boolean
}

/** WebP ends at 16,383 pixels, JPEG goes on; nobody compares pixel by pixel what the browser cannot show. */
const PREVIEW = { format: 'jpeg', quality: 90 }

/** A picture to look at, whatever its format. @throws ApiFailure, when the API cannot read it either */
export async function previewOf(picture: File, signal: AbortSignal): Promise<Preview> {
  const own = await decode(picture)
  if (own) return { ...own, isConverted: false }
  const { blob } = await sendImage('/api/v1/convert', { image: picture }, PREVIEW, signal)
  const made = await decode(blob)
  if (!made) throw new Error('The browser cannot show what was made for it.')
  return { ...made, isConverted: true }
}
