/** What becomes of a frame's rectangle before the next one is drawn: it stays, is cleared, or shows again what it showed. */
export const KEEP = 1
export const CLEAR = 2
export const RESTORE = 3

export interface Rectangle {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A graphic control and an image, its indices in rows from the top. */
export interface GifFrame extends Rectangle {
  /** Hundredths of a second; undefined where it has no graphic control. */
  readonly delay: number | undefined
  readonly disposal: typeof KEEP | typeof CLEAR | typeof RESTORE
  readonly userInput: boolean
  readonly transparent: number | undefined
  /** Its own or the global one; opaque colours as in a canvas. */
  readonly palette: Uint32Array
  readonly indices: Uint8Array
}

export interface GifFile {
  readonly width: number
  readonly height: number
  /** The byte of the logical screen as it came: (aspect + 15) / 64, or 0. */
  readonly aspect: number
  /** Whole application extensions that viewers heed: how often to play, and the ICC profile. */
  readonly extensions: readonly Buffer[]
  readonly frames: readonly GifFrame[]
}

/** Of a canvas, 0xAABBGGRR: GIF knows no half-transparent pixel. */
export const TRANSPARENT = 0
export const OPAQUE = 0xff000000
