/** A picture in a form that this browser can display. */
export interface ShownPicture {
  /** The object URL of the shown bytes; its creator revokes it. */
  readonly url: string
  /** The size as displayed, after EXIF orientation. */
  readonly width: number
  readonly height: number
}

/** With the bytes that its URL is of: they can be read after that is revoked. */
export interface DecodedPicture extends ShownPicture {
  readonly blob: Blob
}

/** The picture; undefined if the browser cannot display it: HEIC and TIFF in most, BMP of rare kinds. */
export async function decode(blob: Blob): Promise<DecodedPicture | undefined> {
  const url = URL.createObjectURL(blob)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return { blob, url, width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    URL.revokeObjectURL(url)
    return undefined
  }
}
