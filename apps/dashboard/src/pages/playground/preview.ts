import { sendImage } from './send-image.ts'
import { type DecodedPicture, decode } from './shown-picture.ts'

export interface Preview extends DecodedPicture {
  /** The browser cannot display the picture itself: the API made this preview, which counted one call. */
  readonly isConverted: boolean
}

/** WebP is limited to 16,383 pixels, JPEG is not; a preview needs no exact pixels. */
const PREVIEW = { format: 'jpeg', quality: 90 }

/** A displayable picture, whatever its format. @throws ApiFailure if the API cannot read it either */
export async function previewOf(picture: File, signal: AbortSignal): Promise<Preview> {
  const own = await decode(picture)
  if (own) return { ...own, isConverted: false }
  const { blob } = await sendImage('/api/v1/convert', { image: picture }, PREVIEW, signal)
  const preview = await decode(blob)
  if (!preview) throw new Error('The browser cannot show what was made for it.')
  return { ...preview, isConverted: true }
}
