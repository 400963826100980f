import type { Indexed } from './indexed.ts'
import { NONE, RLE4, RLE8, rowBytes } from './layout.ts'
import { newFile } from './new-file.ts'
import { encodeRuns } from './write-runs.ts'

/** The fewest bits a pixel that number all colours; 2 is only known to Windows CE. */
const bitsFor = (colours: number) => (colours <= 2 ? 1 : colours <= 16 ? 4 : 8)

/** Every pixel by the number of its colour, in 1, 4 or 8 bits. */
export function writeIndices({ width, height, colours, indices }: Indexed): Buffer {
  const bits = bitsFor(colours.length)
  const stride = rowBytes(width, bits)
  const { file, pixelsAt } = newFile({ width, height, bits, compression: NONE, colours, pixelBytes: stride * height })
  file.fill(0, pixelsAt)
  for (let y = 0; y < height; y++) {
    const row = pixelsAt + (height - 1 - y) * stride
    for (let x = 0; x < width; x++) {
      const bit = x * bits
      const at = row + (bit >> 3)
      // The leftmost pixel is in the highest bits of a byte.
      file[at] = (file[at] ?? 0) | ((indices[y * width + x] ?? 0) << (8 - bits - (bit & 7)))
    }
  }
  return file
}

/** The same in runs; undefined where that takes more than `limit` bytes. */
export function writeRuns(indexed: Indexed, limit: number): Buffer | undefined {
  const { width, height, colours } = indexed
  const bits = colours.length <= 16 ? 4 : 8
  const runs = encodeRuns(indexed, bits, limit)
  if (!runs) return undefined
  const compression = bits === 4 ? RLE4 : RLE8
  const { file, pixelsAt } = newFile({ width, height, bits, compression, colours, pixelBytes: runs.length })
  file.set(runs, pixelsAt)
  return file
}
