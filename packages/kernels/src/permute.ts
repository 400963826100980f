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

/**
 * Copies rows with the bytes of each pixel in another order, or fewer of them.
 * @throws Error where a row lies outside its array
 */
export function permuteRows(from: Rows, to: Rows, { width, height, pixelBytes, places }: Permutation): void {
  const rowBytes = width * pixelBytes
  const resultBytes = width * places.length
  checkRows(from, rowBytes, height)
  checkRows(to, resultBytes, height)
  // Of a vector's pixels, those that fit into one of the result, too.
  const pixels = Math.floor(VECTOR / Math.max(pixelBytes, places.length))
  const order = Uint8Array.from({ length: VECTOR }, (_, at) => {
    const pixel = Math.floor(at / places.length)
    return pixel < pixels ? pixel * pixelBytes + (places[at % places.length] as number) : VECTOR
  })
  using workspace = openWorkspace()
  const { kernels } = workspace
  const orderAt = workspace.place(order)
  const row = workspace.allocate(rowBytes + VECTOR)
  const result = workspace.allocate(resultBytes + 2 * VECTOR)
  const rowView = workspace.bytes(row, rowBytes)
  const resultView = workspace.bytes(result, resultBytes)
  for (let y = 0; y < height; y++) {
    const start = from.start + y * from.stride
    rowView.set(from.data.subarray(start, start + rowBytes))
    kernels.permute(row, rowBytes, orderAt, pixels * pixelBytes, pixels * places.length, result)
    to.data.set(resultView, to.start + y * to.stride)
  }
}

function checkRows({ data, start, stride }: Rows, rowBytes: number, height: number): void {
  const last = start + (height - 1) * stride
  if (height > 0 && (Math.min(start, last) < 0 || Math.max(start, last) + rowBytes > data.length))
    throw new Error('Rows lie outside of the array that has them.')
}
