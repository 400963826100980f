import { openWorkspace } from './memory.ts'

/** Rows of pixels in memory: the first one begins at `start`, and each next one `stride` bytes after it, or before it where that is negative. */
export interface Rows {
  readonly data: Uint8Array
  readonly start: number
  readonly stride: number
}

export interface Permutation {
  readonly width: number
  readonly height: number
  /** Bytes of a pixel of the source, at most 8. */
  readonly pixelBytes: number
  /** For each byte of a pixel of the result, its place in a pixel of the source. */
  readonly places: readonly number[]
}

const VECTOR = 16
/** Of fewer pixels, a row is copied in less time than it takes to call the kernel: a picture can have millions of them. */
const FEW_PIXELS = 64
/** Longer rows are copied in parts, so that the kernel's memory stays small. */
const MOST_PIXELS = 16_384

/**
 * Copies rows with the bytes of each pixel in another order, or fewer of them.
 * @throws Error where a row lies outside its array
 */
export function permuteRows(from: Rows, to: Rows, { width, height, pixelBytes, places }: Permutation): void {
  checkRows(from, width * pixelBytes, height)
  checkRows(to, width * places.length, height)
  const permutation = { width, height, pixelBytes, places }
  if (width < FEW_PIXELS) permuteShortRows(from, to, permutation)
  else permuteLongRows(from, to, permutation)
}

function permuteShortRows(from: Rows, to: Rows, { width, height, pixelBytes, places }: Permutation): void {
  for (let y = 0; y < height; y++)
    for (let at = 0; at < places.length; at++) {
      let source = from.start + y * from.stride + (places[at] as number)
      let target = to.start + y * to.stride + at
      for (let x = 0; x < width; x++, source += pixelBytes, target += places.length) to.data[target] = from.data[source] as number
    }
}

function permuteLongRows(from: Rows, to: Rows, { width, height, pixelBytes, places }: Permutation): void {
  // Of a vector's pixels, those that fit into one of the result, too.
  const pixels = Math.floor(VECTOR / Math.max(pixelBytes, places.length))
  const order = Uint8Array.from({ length: VECTOR }, (_, at) => {
    const pixel = Math.floor(at / places.length)
    return pixel < pixels ? pixel * pixelBytes + (places[at % places.length] as number) : VECTOR
  })
  const most = Math.min(width, MOST_PIXELS)
  using workspace = openWorkspace()
  const { kernels } = workspace
  const orderAt = workspace.place(order)
  const part = workspace.allocate(most * pixelBytes + VECTOR)
  const result = workspace.allocate(most * places.length + 2 * VECTOR)
  const partView = workspace.bytes(part, most * pixelBytes)
  const resultView = workspace.bytes(result, most * places.length)
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x += most) {
      const count = Math.min(most, width - x)
      const source = from.start + y * from.stride + x * pixelBytes
      partView.set(from.data.subarray(source, source + count * pixelBytes))
      kernels.permute(part, count * pixelBytes, orderAt, pixels * pixelBytes, pixels * places.length, result)
      const isWhole = count === most
      to.data.set(
        isWhole ? resultView : resultView.subarray(0, count * places.length),
        to.start + y * to.stride + x * places.length,
      )
    }
}

function checkRows({ data, start, stride }: Rows, rowBytes: number, height: number): void {
  const last = start + (height - 1) * stride
  if (height > 0 && (Math.min(start, last) < 0 || Math.max(start, last) + rowBytes > data.length))
    throw new Error('Rows lie outside of the array that has them.')
}
