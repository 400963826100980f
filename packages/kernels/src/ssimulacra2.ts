import { openWorkspace, type Workspace } from './memory.ts'
import { type PlaneRows, RADIUS, SUMS_BYTES } from './ssimulacra2-planes.ts'
import { type Comparison, type Picture, Scales, type UseRow } from './ssimulacra2-scales.ts'

export type { Comparison, Picture }

/** What comparisons need to know of an original: for each scale and plane, its rows, blurred rows, and rows of blurred squares. */
export interface Description {
  readonly comparison: Comparison
  readonly pictures: readonly Size[]
  readonly planes: readonly (readonly (DescribedPlane | undefined)[])[]
}

type Size = Pick<Picture, 'width' | 'height'>

interface DescribedPlane {
  readonly floats: Float32Array<ArrayBuffer>
  /** How many rows there is room for: a row lies at its number modulo them. */
  readonly rows: number
}

/** Sums over pixels of three maps of errors (structure, ringing, blurring), and of their fourth powers. */
export interface Sums {
  readonly pixels: number
  readonly values: Float64Array
}

const DOUBLE = 8

/** The sums of square blocks, which cover a plane in rows from its upper left corner. */
export interface BlockSums {
  /** Pixels a side, in those of the plane; blocks at the right and at the bottom may have fewer. */
  readonly side: number
  readonly columns: number
  readonly width: number
  readonly height: number
  /** Six for each block. */
  readonly values: Float64Array
}

type SumsByPlane = readonly (readonly (Sums | undefined)[])[]

/**
 * Describes an original once for any number of comparisons; takes 20 bytes a pixel.
 * @param pictures the whole picture, or parts of it, all of one size
 */
export function describe(pictures: readonly Picture[], comparison: Comparison): Description {
  using workspace = openWorkspace()
  const scales = new Scales(workspace, pictures, comparison, 2)
  const description = emptyDescription(scales, pictures, comparison, (plane) => plane.height * pictures.length)
  for (const [nth, picture] of pictures.entries()) {
    const use = describingRows(scales, description, nth)
    scales.begin()
    for (let y = 0; y < picture.height; y++) scales.readRow(picture, y, use)
  }
  return description
}

/** Gives back the memory of a description after its last comparison; otherwise it would wait for a collection. */
export function release({ planes }: Description): void {
  for (const plane of planes.flat()) if (plane && plane.floats.length > 0) plane.floats.buffer.transfer(0)
}

/**
 * For each scale and plane, the sums over all pixels of the pictures; undefined where the comparison leaves the plane out.
 * @param pictures as many as were described, of the same sizes, in the same order
 */
export function sumsOfErrors(description: Description, pictures: readonly Picture[]): SumsByPlane {
  requireSameSizes(description.pictures, pictures)
  using workspace = openWorkspace()
  const scales = new Scales(workspace, pictures, description.comparison, 3)
  const sums = new PlaneSums(workspace, scales)
  for (const [nth, picture] of pictures.entries()) {
    const begin = placingOriginals(scales, description, nth)
    scales.begin()
    for (let y = 0; y < picture.height; y++) scales.readRow(picture, y, sums.use, begin)
  }
  return sums.values(pictures.length)
}

/** The same beside an original that is described meanwhile, which takes as long as another comparison, and no memory. */
export function sumsBeside(originals: readonly Picture[], comparison: Comparison, pictures: readonly Picture[]): SumsByPlane {
  using workspace = openWorkspace()
  const scales = new Scales(workspace, pictures, comparison, 3)
  const sums = new PlaneSums(workspace, scales)
  addBeside(workspace, originals, comparison, pictures, scales, sums.use)
  return sums.values(pictures.length)
}

/**
 * Where a picture differs from its original: the sums of blocks, for each scale and plane; undefined where the comparison leaves the
 * plane out.
 * @param side of a block at full size, a power of two from 4 on; at smaller scales it is half, but at least 4
 */
export function sumsByBlock(
  original: Picture,
  comparison: Comparison,
  picture: Picture,
  side: number,
): readonly (readonly (BlockSums | undefined)[])[] {
  using workspace = openWorkspace()
  const scales = new Scales(workspace, [picture], comparison, 3)
  const sums = new PlaneSums(workspace, scales, side)
  addBeside(workspace, [original], comparison, [picture], scales, sums.use)
  return sums.blocks()
}

function addBeside(
  workspace: Workspace,
  originals: readonly Picture[],
  comparison: Comparison,
  pictures: readonly Picture[],
  scales: Scales,
  add: UseRow,
): void {
  requireSameSizes(originals, pictures)
  const originalScales = new Scales(workspace, originals, comparison, 2)
  // So many rows later the blurs of a row are known at the smallest scale.
  const ahead = (RADIUS + 1) * 2 ** (comparison.scales.length - 1)
  const description = emptyDescription(originalScales, originals, comparison, (_, scale) => (ahead >> scale) + 3 * RADIUS)
  for (const [nth, picture] of pictures.entries()) {
    const use = describingRows(originalScales, description, nth)
    const begin = placingOriginals(scales, description, nth)
    originalScales.begin()
    scales.begin()
    let read = 0
    for (let y = 0; y < picture.height; y++) {
      for (; read < Math.min(picture.height, y + ahead + 1); read++) originalScales.readRow(originals[nth] as Picture, read, use)
      scales.readRow(picture, y, add, begin)
    }
  }
}

function requireSameSizes(originals: readonly Size[], pictures: readonly Size[]): void {
  const isSame = ({ width, height }: Size, nth: number) => originals[nth]?.width === width && originals[nth].height === height
  if (pictures.length !== originals.length || !pictures.every(isSame))
    throw new Error('Pictures are compared that differ in size or number.')
}

function emptyDescription(
  scales: Scales,
  pictures: readonly Size[],
  comparison: Comparison,
  rowsOf: (plane: PlaneRows, scale: number) => number,
): Description {
  const planes = scales.planes.map((ofScale, scale) =>
    ofScale.map((plane) => {
      const rows = plane ? rowsOf(plane, scale) : 0
      return plane && { rows, floats: new Float32Array(plane.descriptionFloats * rows) }
    }),
  )
  return { comparison, pictures: pictures.map(({ width, height }) => ({ width, height })), planes }
}

/** Keeps what is known of rows of the nth picture. */
const describingRows =
  (scales: Scales, description: Description, nth: number): UseRow =>
  (scale, number, y) => {
    const plane = scales.planes[scale]?.[number]
    const planeDescription = description.planes[scale]?.[number]
    if (!plane || !planeDescription) return
    const row = (nth * plane.height + y) % planeDescription.rows
    planeDescription.floats.set(plane.describeRow(y), row * plane.descriptionFloats)
  }

/** Places what is known of rows beside those of the nth picture. */
const placingOriginals =
  (scales: Scales, description: Description, nth: number): UseRow =>
  (scale, number, y) => {
    const plane = scales.planes[scale]?.[number]
    const planeDescription = description.planes[scale]?.[number]
    if (plane && planeDescription)
      plane.placeOriginal(y, planeDescription.floats, (nth * plane.height + y) % planeDescription.rows)
  }

/** The sums of the blocks of each scale and plane, in the memory of kernels. */
class PlaneSums {
  readonly #workspace: Workspace
  readonly #scales: Scales
  readonly #grids: readonly (readonly (Grid | undefined)[])[]

  /** @param side of a block at full size; without it, a plane is one block */
  constructor(workspace: Workspace, scales: Scales, side = Number.POSITIVE_INFINITY) {
    this.#workspace = workspace
    this.#scales = scales
    this.#grids = scales.planes.map((ofScale, scale) =>
      ofScale.map((plane) => plane && new Grid(workspace, plane, Math.max(VECTOR_PIXELS, side / 2 ** scale))),
    )
  }

  readonly use: UseRow = (scale, number, y) => {
    const grid = this.#grids[scale]?.[number]
    if (grid) this.#scales.planes[scale]?.[number]?.addErrors(y, grid.side, grid.addressOf(y))
  }

  /** Where a plane is one block. */
  values(pictures: number): SumsByPlane {
    return this.blocks().map((ofScale) =>
      ofScale.map((blocks) => blocks && { pixels: blocks.width * blocks.height * pictures, values: blocks.values }),
    )
  }

  blocks(): readonly (readonly (BlockSums | undefined)[])[] {
    return this.#grids.map((ofScale) => ofScale.map((grid) => grid?.read(this.#workspace)))
  }
}

/** A vector has four floats. */
const VECTOR_PIXELS = 4

/** The blocks of a plane. */
class Grid {
  readonly side: number
  readonly #plane: PlaneRows
  readonly #columns: number
  readonly #rows: number
  readonly #address: number

  constructor(workspace: Workspace, plane: PlaneRows, side: number) {
    this.side = side
    this.#plane = plane
    this.#columns = Math.max(1, Math.ceil(plane.width / side))
    this.#rows = Math.max(1, Math.ceil(plane.height / side))
    this.#address = workspace.allocate(this.#columns * this.#rows * SUMS_BYTES)
  }

  /** The sums of the first block of a row of pixels. */
  addressOf(y: number): number {
    return this.#address + Math.floor(y / this.side) * this.#columns * SUMS_BYTES
  }

  read(workspace: Workspace): BlockSums {
    const { width, height } = this.#plane
    const values = workspace.doubles(this.#address, (this.#columns * this.#rows * SUMS_BYTES) / DOUBLE).slice()
    return { side: this.side, columns: this.#columns, width, height, values }
  }
}
