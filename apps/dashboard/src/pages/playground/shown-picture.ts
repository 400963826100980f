/** A picture in a form that this browser can display. */
export interface ShownPicture {
  /** The object URL of the shown bytes; its creator revokes it. */
  readonly url: string
  /** The size as displayed, after EXIF orientation. */
  readonly width: number
  readonly height: number
}

/** The picture; undefined if the browser cannot display it: HEIC and TIFF in most, BMP of rare kinds. */
export async function decode(bytes: Blob): Promise<ShownPicture | undefined> {
  const url = URL.createObjectURL(bytes)
  const image = new Image()
  image.src = url
  try {
    await image.decode()
    return { url, width: image.naturalWidth, height: image.naturalHeight }
  } catch {
    URL.revokeObjectURL(url)
    return undefined
  }
}
