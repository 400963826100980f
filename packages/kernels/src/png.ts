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
