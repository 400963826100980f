import { type GifFrame, KEEP, RESTORE, type Rectangle, TRANSPARENT } from './gif-file.ts'

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
