import { NONE, rowBytes } from './layout.ts'
import { newFile } from './new-file.ts'
import type { Raster } from './raster.ts'

/** Every pixel by its own colour: 24 bits, or 32 with alpha. */
export function writeColours(raster: Raster): Buffer {
  const { width, height, data, channels, green, blue, alpha } = raster
  const bits = alpha === undefined ? 24 : 32
  const stride = rowBytes(width, bits)
  const { file, pixelsAt } = newFile({ width, height, bits, compression: NONE, colours: [], pixelBytes: stride * height })
  const pixelBytes = bits / 8
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (height - 1 - y) * stride
    const end = row + width * pixelBytes
    for (let from = y * width * channels, to = row; to < end; from += channels, to += pixelBytes) {
      file[to] = data[from + blue] ?? 0
      file[to + 1] = data[from + green] ?? 0
      file[to + 2] = data[from] ?? 0
      if (alpha !== undefined) file[to + 3] = data[from + alpha] ?? 0
    }
    file.fill(0, end, row + stride)
  }
  return file
}
