import { openWorkspace, type Workspace } from './memory.ts'

/** A plane of floats whose rows are computed from the top, one after another: a workspace holds only those that are under way. */
export interface PlaneRows {
  readonly width: number
  readonly height: number
  /** Writes the next row to an address with room for `rowBytes` of the width. */
  writeNext(address: number): void
}

/** What turns one plane into another; both lie in the same workspace. */
export type Filter = (workspace: Workspace, rows: PlaneRows) => PlaneRows

/** Kernels write up to the next multiple of 16 floats, and read a vector more. */
export const rowBytes = (width: number): number => (Math.ceil(width / 16) * 16 + 4) * 4

/** The last rows of a plane, as many as a filter looks at together. */
export class RecentRows {
  readonly width: number
  readonly height: number
  readonly #source: PlaneRows
  readonly #count: number
  readonly #ring: number
  #next = 0

  constructor(workspace: Workspace, source: PlaneRows, count: number) {
    this.width = source.width
    this.height = source.height
    this.#source = source
    this.#count = count
    this.#ring = workspace.allocate(count * rowBytes(source.width))
  }

  /**
   * The address of a row, which is computed if it was not yet. Beyond the edges, the rows at the edges repeat.
   * @throws Error for a row whose place another one has taken
   */
  at(y: number): number {
    const row = Math.max(0, Math.min(this.height - 1, y))
    for (; this.#next <= row; this.#next++) this.#source.writeNext(this.#placeOf(this.#next))
    if (row < this.#next - this.#count) throw new Error(`Row ${row} is gone: ${this.#count} rows are kept.`)
    return this.#placeOf(row)
  }

  #placeOf(row: number): number {
    return this.#ring + (row % this.#count) * rowBytes(this.width)
  }
}

/** Applies a filter to a plane in memory. @throws Error if the plane has fewer floats than its size says */
export function filterPlane(plane: Float32Array, width: number, height: number, filter: Filter): Float32Array<ArrayBuffer> {
  if (plane.length < width * height) throw new Error('A plane has fewer floats than its size says.')
  using workspace = openWorkspace()
  let next = 0
  const source: PlaneRows = {
    width,
    height,
    writeNext(address) {
      workspace.floats(address, width).set(plane.subarray(next, next + width))
      next += width
    },
  }
  return collectRows(workspace, filter(workspace, source))
}

/** All of a plane. */
export function collectRows(workspace: Workspace, rows: PlaneRows): Float32Array<ArrayBuffer> {
  const { width, height } = rows
  const row = workspace.allocate(rowBytes(width))
  const plane = new Float32Array(width * height)
  for (let at = 0; at < plane.length; at += width) {
    rows.writeNext(row)
    plane.set(workspace.floats(row, width), at)
  }
  return plane
}
