import { NONE, rowBytes } from './layout.ts'
import { newFile } from './new-file.ts'
import type { Raster } from './raster.ts'

/** Every pixel by its own colour: 24 bits, or 32 with alpha. */
export function writeColours(raster: Raster): Buffer {
  const { width, height, channels, data, opaque } = raster
  const bits = opaque ? 24 : 32
  const stride = rowBytes(width, bits)
  const { file, pixelsAt } = newFile({ width, height, bits, compression: NONE, colours: [], pixelBytes: stride * height })
  const pixelBytes = bits / 8
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (height - 1 - y) * stride
    const end = row + width * pixelBytes
    for (let from = y * width * channels, to = row; to < end; from += channels, to += pixelBytes) {
      file[to] = data[from + 2] ?? 0
      file[to + 1] = data[from + 1] ?? 0
      file[to + 2] = data[from] ?? 0
      if (!opaque) file[to + 3] = data[from + 3] ?? 0
    }
    file.fill(0, end, row + stride)
  }
  return file
}
