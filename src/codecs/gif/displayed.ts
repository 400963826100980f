import { type GifFile, type GifFrame, KEEP, RESTORE, type Rectangle, TRANSPARENT } from './gif-file.ts'

/** The screen as it is shown with each frame. The array is reused: copy what is to be kept. */
export function* displayed({ width, height, frames }: GifFile): Generator<Uint32Array> {
  const canvas = new Uint32Array(width * height)
  for (const frame of frames) {
    const before = frame.disposal === RESTORE ? canvas.slice() : undefined
    draw(frame, canvas, width)
    yield canvas
    dispose(frame, frame.disposal, canvas, width, before)
  }
}

function draw(
  { left, top, width, height, palette, indices, transparent = -1 }: GifFrame,
  canvas: Uint32Array,
  across: number,
): void {
  for (let row = 0, from = 0; row < height; row++) {
    let to = (top + row) * across + left
    for (const end = to + width; to < end; to++, from++) {
      const index = indices[from] ?? 0
      if (index !== transparent) canvas[to] = palette[index] ?? TRANSPARENT
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
  for (let row = area.top; row < area.top + area.height; row++) {
    const start = row * across + area.left
    canvas.fill(TRANSPARENT, start, start + area.width)
  }
}
