import type { Bitmap } from '../bitmap.ts'

/** Where a pixel of the picture as displayed stands in the file, by Orientation (TIFF 6.0, section 8); `right` and `bottom` are the last column and row of the file. */
type Source = (x: number, y: number, right: number, bottom: number) => readonly [column: number, row: number]

const sources: Readonly<Record<number, Source>> = {
  2: (x, y, right) => [right - x, y],
  3: (x, y, right, bottom) => [right - x, bottom - y],
  4: (x, y, _, bottom) => [x, bottom - y],
  5: (x, y) => [y, x],
  6: (x, y, _, bottom) => [y, bottom - x],
  7: (x, y, right, bottom) => [right - y, bottom - x],
  8: (x, y, right) => [right - y, x],
}

/** From 5 on, rows are columns. */
export const isTurned = (orientation: number): boolean => orientation > 4 && orientation in sources

export function orient(bitmap: Bitmap, orientation: number): Bitmap {
  const source = sources[orientation]
  if (!source) return bitmap
  const { channels, data } = bitmap
  const [width, height] = isTurned(orientation) ? [bitmap.height, bitmap.width] : [bitmap.width, bitmap.height]
  const out = new Uint16Array(data.length)
  for (let y = 0, to = 0; y < height; y++)
    for (let x = 0; x < width; x++) {
      const [column, row] = source(x, y, bitmap.width - 1, bitmap.height - 1)
      const from = (row * bitmap.width + column) * channels
      for (let channel = 0; channel < channels; channel++) out[to++] = data[from + channel] ?? 0
    }
  return { ...bitmap, width, height, data: out }
}
