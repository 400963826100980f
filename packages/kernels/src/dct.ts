import type { Workspace } from './memory.ts'
import { type PlaneRows, rowBytes } from './rows.ts'

/** Samples along one side of a block. */
export const SIDE = 8
const VECTOR = 16
const FLOAT = 4
/** Room for the coefficients of four blocks, and for one row of them. */
const SCRATCH = (SIDE + 1) * SIDE * VECTOR

export interface Shrinking {
  /** Coefficients below it become 0. */
  readonly least: number
  /** Distance between blocks. */
  readonly distance: 1 | 2 | 4 | 8
}

/**
 * Transforms blocks of 8 × 8 that overlap, sets small coefficients to 0, and averages what comes back; blocks with fewer coefficients
 * weigh more. Blocks lie on multiples of their distance, and once more to cover the end. Each column is transformed once for all
 * blocks that contain it, and back once after they were summed.
 * @param rows at least as wide and high as a block
 */
export const shrunkRows = (workspace: Workspace, rows: PlaneRows, shrinking: Shrinking): PlaneRows =>
  new ShrunkRows(workspace, rows, shrinking)

class ShrunkRows implements PlaneRows {
  readonly width: number
  readonly height: number
  readonly #workspace: Workspace
  readonly #source: PlaneRows
  readonly #least: number
  readonly #distance: number
  /** Blocks on multiples of the distance, and whether another one ends the row. */
  readonly #blocks: number
  readonly #hasEnd: boolean
  /** Floats of a row that have one remainder, and all of a row: the phases, then the last block with a vector for each float. */
  readonly #phaseBytes: number
  readonly #rowBytes: number
  readonly #end: number
  readonly #row: number
  /** Rings of eight rows: of the source, and of what was summed, with its weights. */
  readonly #sources: number
  readonly #results: number
  readonly #weights: number
  readonly #weightBytes: number
  readonly #endWeights = new Float64Array(SIDE)
  readonly #addresses: number
  readonly #columns: number
  readonly #sums: number
  readonly #blockWeights: number
  readonly #endWeight: number
  readonly #scratch: number
  /** The next row of the source, of the result, and the first one that is not finished. */
  #read = 0
  #nextRow = 0
  #finishedRows = 0

  constructor(workspace: Workspace, source: PlaneRows, { least, distance }: Shrinking) {
    const { width, height } = source
    this.width = width
    this.height = height
    this.#workspace = workspace
    this.#source = source
    this.#least = least
    this.#distance = distance
    this.#blocks = Math.floor((width - SIDE) / distance) + 1
    this.#hasEnd = (width - SIDE) % distance > 0
    // Four blocks at once reach up to three beyond the last, and each of these up to seven floats further.
    this.#phaseBytes = (Math.ceil((Math.ceil(width / distance) + 4 + SIDE) / 4) * 4 + 4) * FLOAT
    this.#end = distance * this.#phaseBytes
    this.#rowBytes = this.#end + SIDE * VECTOR
    this.#weightBytes = this.#phaseBytes
    this.#row = workspace.allocate(rowBytes(width) + 64)
    this.#sources = workspace.allocate(SIDE * this.#rowBytes)
    this.#results = workspace.allocate(SIDE * this.#rowBytes)
    this.#weights = workspace.allocate(SIDE * this.#weightBytes)
    this.#addresses = workspace.allocate(2 * SIDE * FLOAT)
    this.#columns = workspace.allocate(SIDE * this.#rowBytes)
    this.#sums = workspace.allocate((SIDE / distance) * SIDE * this.#rowBytes)
    // Before the first block, as many weights of 0 as blocks may cover a place.
    this.#blockWeights = workspace.allocate(SIDE * FLOAT + this.#weightBytes) + SIDE * FLOAT
    this.#endWeight = workspace.allocate(VECTOR)
    this.#scratch = workspace.allocate(SCRATCH)
  }

  writeNext(address: number): void {
    if (this.#nextRow === this.#finishedRows) this.#addStrip()
    const { kernels } = this.#workspace
    const slot = this.#nextRow % SIDE
    const sums = this.#results + slot * this.#rowBytes
    const weights = this.#weights + slot * this.#weightBytes
    kernels.takeMeans(sums, weights, this.width, this.#distance, this.#phaseBytes, address)
    if (this.#hasEnd) {
      const endWeight = this.#endWeights[slot] as number
      kernels.takeEnd(sums, weights, this.width, this.#distance, this.#phaseBytes, sums + this.#end, endWeight, address)
      this.#endWeights[slot] = 0
    }
    kernels.clear(sums, this.#rowBytes)
    kernels.clear(weights, this.#weightBytes)
    this.#nextRow++
  }

  /** Blocks that begin in the next row that has some. Its rows up to the next such row are then finished. */
  #addStrip(): void {
    const last = this.height - SIDE
    const top = Math.min(this.#finishedRows, last)
    this.#readUntil(top + SIDE)
    const { kernels } = this.#workspace
    const rowBytes = this.#rowBytes
    const rows = this.#addresses
    kernels.transformColumns(this.#ringFrom(top, this.#sources, rows), rowBytes, this.#columns)
    this.#shrink()
    const results = this.#ringFrom(top, this.#results, rows + SIDE * FLOAT)
    kernels.addColumns(this.#sums, SIDE / this.#distance, SIDE * rowBytes, rowBytes, this.#scratch, results)
    const endWeight = this.#hasEnd ? (this.#workspace.floats(this.#endWeight, 1)[0] as number) : 0
    for (let slot = 0; slot < SIDE; slot++) {
      const weights = this.#weights + slot * this.#weightBytes
      kernels.addWeights(this.#blockWeights, SIDE / this.#distance, Math.ceil(this.width / this.#distance), weights)
      this.#endWeights[slot] = (this.#endWeights[slot] as number) + endWeight
    }
    // Where no block begins in a multiple of the distance any more, the last strip begins as low as it can.
    this.#finishedRows = top === last ? this.height : Math.min(top + this.#distance, last)
  }

  #shrink(): void {
    const { kernels } = this.#workspace
    const arrayBytes = SIDE * this.#rowBytes
    const shrink = (at: number, phaseBytes: number, distance: number, count: number, weights: number) =>
      kernels.shrinkBlocks(
        this.#columns + at,
        this.#rowBytes,
        phaseBytes,
        distance,
        count,
        this.#least,
        this.#scratch,
        this.#sums + at,
        arrayBytes,
        weights,
      )
    shrink(0, this.#phaseBytes, this.#distance, this.#blocks, this.#blockWeights)
    if (this.#hasEnd) shrink(this.#end, VECTOR, SIDE, 1, this.#endWeight)
  }

  #readUntil(end: number): void {
    const { kernels } = this.#workspace
    for (; this.#read < end; this.#read++) {
      this.#source.writeNext(this.#row)
      const slot = this.#sources + (this.#read % SIDE) * this.#rowBytes
      kernels.spreadPhases(this.#row, this.width, this.#distance, slot, this.#phaseBytes)
      if (this.#hasEnd) kernels.spreadPhases(this.#row + (this.width - SIDE) * FLOAT, SIDE, SIDE, slot + this.#end, VECTOR)
    }
  }

  /** Writes the addresses of a ring's eight rows, from a row of the plane on. */
  #ringFrom(top: number, ring: number, addresses: number): number {
    const view = this.#workspace.addresses(addresses, SIDE)
    for (let y = 0; y < SIDE; y++) view[y] = ring + ((top + y) % SIDE) * this.#rowBytes
    return addresses
  }
}
