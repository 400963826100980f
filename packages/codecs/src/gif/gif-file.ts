/** Disposal of a frame's rectangle before the next frame: keep, clear to transparent, or restore the previous content. */
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
  /** The aspect byte of the logical screen: (aspect + 15) / 64, or 0. */
  readonly aspect: number
  /** Complete application extensions that viewers use: the loop count and the ICC profile. */
  readonly extensions: readonly Buffer[]
  readonly frames: readonly GifFrame[]
}

/** Canvas pixels, 0xAABBGGRR: GIF has no partial transparency. */
export const TRANSPARENT = 0
export const OPAQUE = 0xff000000

interface Animation {
  readonly width: number
  readonly height: number
  readonly frames: Iterable<GifFrame>
}

/** The canvas as displayed with each frame. The array is reused, so copy what is kept. */
export function* displayedFrames({ width, height, frames }: Animation): Generator<Uint32Array> {
  const canvas = new Uint32Array(width * height)
  for (const frame of frames) {
    const before = frame.disposal === RESTORE ? canvas.slice() : undefined
    draw(frame, canvas, width, height)
    yield canvas
    dispose(frame, frame.disposal, canvas, width, before)
  }
}

function draw(
  { left, top, width, height, palette, indices, transparent = -1 }: GifFrame,
  canvas: Uint32Array,
  across: number,
  down: number,
): void {
  const colours = paintOf(palette, transparent)
  const pixels = new Int32Array(canvas.buffer)
  // Pixels beyond the screen are not shown.
  const columns = Math.min(width, across - left)
  const rows = Math.min(height, down - top)
  for (let row = 0; row < rows; row++) {
    let from = row * width
    let to = (top + row) * across + left
    for (const end = to + columns; to < end; to++, from++) {
      const colour = colours[indices[from] as number] as number
      if (colour !== TRANSPARENT) pixels[to] = colour
    }
  }
}

/** What each index paints: TRANSPARENT where it paints nothing. */
function paintOf(palette: Uint32Array, transparent: number): Int32Array {
  const colours = new Int32Array(256)
  colours.set(palette.subarray(0, colours.length))
  if (transparent >= 0) colours[transparent] = TRANSPARENT
  return colours
}

/** Applies a frame's disposal to the canvas, for the next frame; `before` is the canvas before that frame. */
export function dispose(
  area: Rectangle,
  disposal: GifFrame['disposal'],
  canvas: Uint32Array,
  across: number,
  before: Uint32Array | undefined,
): void {
  if (disposal === KEEP) return
  if (disposal === RESTORE && before) {
    canvas.set(before)
    return
  }
  const columns = Math.min(area.width, across - area.left)
  for (let row = area.top; row < area.top + area.height; row++) {
    const start = row * across + area.left
    if (columns > 0) canvas.fill(TRANSPARENT, start, start + columns)
  }
}
