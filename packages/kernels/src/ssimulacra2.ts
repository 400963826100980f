import { openWorkspace, type Workspace } from './memory.ts'
import { type PlaneRows, RADIUS } from './ssimulacra2-planes.ts'
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

const MAPS_AND_POWERS = 6

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
  requireSameSizes(originals, pictures)
  using workspace = openWorkspace()
  const originalScales = new Scales(workspace, originals, comparison, 2)
  const scales = new Scales(workspace, pictures, comparison, 3)
  const sums = new PlaneSums(workspace, scales)
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
      scales.readRow(picture, y, sums.use, begin)
    }
  }
  return sums.values(pictures.length)
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

/** Six doubles for each scale and plane, in the memory of kernels. */
class PlaneSums {
  readonly #workspace: Workspace
  readonly #scales: Scales
  readonly #addresses: readonly (readonly (number | undefined)[])[]

  constructor(workspace: Workspace, scales: Scales) {
    this.#workspace = workspace
    this.#scales = scales
    this.#addresses = scales.planes.map((ofScale) => ofScale.map((plane) => plane && workspace.allocate(MAPS_AND_POWERS * 8)))
  }

  readonly use: UseRow = (scale, number, y) =>
    this.#scales.planes[scale]?.[number]?.addErrors(y, this.#addresses[scale]?.[number] as number)

  values(pictures: number): SumsByPlane {
    return this.#scales.planes.map((ofScale, scale) =>
      ofScale.map((plane, number) => {
        const address = this.#addresses[scale]?.[number]
        if (!plane || address === undefined) return undefined
        const values = this.#workspace.doubles(address, MAPS_AND_POWERS).slice()
        return { pixels: plane.width * plane.height * pictures, values }
      }),
    )
  }
}
