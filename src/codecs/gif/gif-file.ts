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

interface Animation {
  readonly width: number
  readonly height: number
  readonly frames: Iterable<GifFrame>
}

/** The screen as it is shown with each frame. The array is reused: copy what is to be kept. */
export function* displayed({ width, height, frames }: Animation): Generator<Uint32Array> {
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
  // What lies beyond the screen is not shown.
  const [columns, rows] = [Math.min(width, across - left), Math.min(height, down - top)]
  for (let row = 0; row < rows; row++) {
    let [from, to] = [row * width, (top + row) * across + left]
    for (const end = to + columns; to < end; to++, from++) {
      const index = indices[from] ?? 0
      const colour = index === transparent ? undefined : palette[index]
      if (colour !== undefined) canvas[to] = colour
    }
  }
}

/** Makes of what was shown with a frame what the next one is drawn on; `before` is what that frame was drawn on. */
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
