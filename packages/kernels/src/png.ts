import { openWorkspace, wholeVectors } from './memory.ts'

/** Samples in rows from the top, as a PNG has them: of 16 bits, the higher byte comes first. */
export interface SampleRows {
  readonly data: Uint8Array
  readonly rows: number
  readonly rowBytes: number
  /** Of a whole pixel; 1 where several pixels share a byte. */
  readonly pixelBytes: number
}

/** Filters look as far to the left as a pixel is long, at most 8 bytes; a vector before a row is 0. */
const MARGIN = 16

/**
 * Some rows as they are compressed, each with the filter whose differences have the least sum, behind the number of that filter (PNG,
 * third edition, clause 9 and 12.7).
 */
export function filteredRows({ data, rowBytes, pixelBytes }: SampleRows, first: number, count: number): Uint8Array {
  using workspace = openWorkspace()
  const evenRow = workspace.allocate(MARGIN + rowBytes) + MARGIN
  const oddRow = workspace.allocate(MARGIN + rowBytes) + MARGIN
  const resultRow = workspace.allocate(1 + wholeVectors(rowBytes))
  // Nothing is allocated from here on, so the views stay valid.
  const resultView = workspace.bytes(resultRow, 1 + rowBytes)
  const placeRow = (y: number) => {
    const place = y % 2 === 0 ? evenRow : oddRow
    workspace.bytes(place, rowBytes).set(data.subarray(y * rowBytes, (y + 1) * rowBytes))
    return place
  }
  const result = new Uint8Array(count * (1 + rowBytes))
  // Above the first row of a picture there are zeros.
  let above = first > 0 ? placeRow(first - 1) : oddRow
  for (let y = first; y < first + count; y++) {
    const row = placeRow(y)
    workspace.kernels.filterRow(row, above, rowBytes, pixelBytes, resultRow)
    result.set(resultView, (y - first) * (1 + rowBytes))
    above = row
  }
  return result
}

/** Bytes of the rows that are worked on together, which fit a processor's cache. */
const BLOCK_BYTES = 65_536
/** A row of samples has room for as many more bytes, since pixels of three are stored as four. */
const ROOM = 4

/**
 * Turns rows with their filters into samples, in place: they then begin where the rows began.
 * @param data each row behind the number of its filter
 * @param pixelBytes 3 or 4
 * @returns whether all filters are known; if not, the rows are spoilt
 * @throws Error if there are fewer bytes than the rows have
 */
export function unfilterRows({ data, rows, rowBytes, pixelBytes }: SampleRows): boolean {
  const filteredBytes = 1 + rowBytes
  if (data.length < rows * filteredBytes) throw new Error('A PNG has fewer rows than its header says.')
  using workspace = openWorkspace()
  const most = Math.max(2, Math.floor(BLOCK_BYTES / filteredBytes))
  const stride = wholeVectors(rowBytes + ROOM)
  const source = workspace.allocate(most * filteredBytes + ROOM)
  const above = workspace.allocate((1 + most) * stride)
  // Nothing is allocated from here on, so the views stay valid.
  const sourceView = workspace.bytes(source, most * filteredBytes)
  const samplesView = workspace.bytes(above, (1 + most) * stride)
  for (let first = 0; first < rows; first += most) {
    const count = Math.min(most, rows - first)
    sourceView.set(data.subarray(first * filteredBytes, (first + count) * filteredBytes))
    const isSound = workspace.kernels.unfilter(source, count, rowBytes, pixelBytes, above + stride, stride)
    if (isSound === 0) return false
    for (let row = 0; row < count; row++) {
      const at = (1 + row) * stride
      data.set(samplesView.subarray(at, at + rowBytes), (first + row) * rowBytes)
    }
    samplesView.copyWithin(0, count * stride, (1 + count) * stride)
  }
  return true
}
