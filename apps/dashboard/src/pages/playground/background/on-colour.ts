/** JPEG has no transparency to lose, but blurs the edge of a cut-out; WebP at this quality does not visibly. */
const WEBP_QUALITY = 0.92

/** A cut-out in front of a colour, in the same format. @throws Error where the browser cannot draw so large a picture */
export async function onColour(cutOut: Blob, colour: string): Promise<Blob> {
  const bitmap = await createImageBitmap(cutOut)
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  const pen = canvas.getContext('2d')
  if (!pen) throw new Error('The browser cannot draw a picture of this size.')
  pen.fillStyle = colour
  pen.fillRect(0, 0, canvas.width, canvas.height)
  pen.drawImage(bitmap, 0, 0)
  bitmap.close()
  return canvas.convertToBlob({ type: cutOut.type, quality: WEBP_QUALITY })
}
