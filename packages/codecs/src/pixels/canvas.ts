/** Writes the wanted channels of a canvas of 0xAABBGGRR. */
export function copyCanvas(canvas: Uint32Array, channels: 3 | 4, to: Uint8Array): void {
  if (channels === 4) {
    to.set(new Uint8Array(canvas.buffer, canvas.byteOffset, canvas.byteLength))
    return
  }
  const colours = new Int32Array(canvas.buffer, canvas.byteOffset, canvas.length)
  for (let pixel = 0, at = 0; pixel < colours.length; pixel++, at += 3) {
    const colour = colours[pixel] as number
    to[at] = colour
    to[at + 1] = colour >> 8
    to[at + 2] = colour >> 16
  }
}

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * The canvas turned upright, by its EXIF orientation; itself where it is upright.
 * @param size of the canvas as it is stored
 */
export function turnCanvas(canvas: Uint32Array, { width, height }: Size, orientation: number): Uint32Array {
  if (orientation <= 1 || orientation > 8) return canvas
  const last = { x: width - 1, y: (height - 1) * width }
  // Where the first pixel comes from, and by how much the next one of the row and of the column is away.
  const steps: readonly (readonly [start: number, across: number, down: number])[] = [
    [0, 1, width],
    [last.x, -1, width],
    [last.x + last.y, -1, -width],
    [last.y, 1, -width],
    [0, width, 1],
    [last.y, -width, 1],
    [last.x + last.y, -width, -1],
    [last.x, width, -1],
  ]
  const [start, across, down] = steps[orientation - 1] ?? [0, 1, width]
  const columns = orientation >= 5 ? height : width
  const upright = new Uint32Array(canvas.length)
  for (let to = 0; to < upright.length; to++) {
    const row = Math.floor(to / columns)
    upright[to] = canvas[start + across * (to - row * columns) + down * row] as number
  }
  return upright
}
