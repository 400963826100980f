import type { Workspace } from './memory.ts'
import { type PlaneRows, RecentRows, rowBytes } from './rows.ts'

const FLOAT = 4

/** Rows of another plane, each of which one call writes; `y` counts from 0. */
export function rowsBy(
  { width, height }: Pick<PlaneRows, 'width' | 'height'>,
  write: (y: number, address: number) => void,
): PlaneRows {
  let next = 0
  return { width, height, writeNext: (address) => write(next++, address) }
}

/** Room for a row with floats before it and behind. @returns the address of the row's first float */
function spaciousRow(workspace: Workspace, width: number, reach: number): number {
  const margin = Math.ceil(reach / 4) * 4 * FLOAT
  return workspace.allocate(margin + rowBytes(width) + margin) + margin
}

/** Filters along rows. Beyond the edges, the floats at the edges repeat. */
function acrossRows(
  workspace: Workspace,
  rows: PlaneRows,
  { width, reach }: { readonly width: number; readonly reach: number },
  filter: (row: number, to: number) => void,
): PlaneRows {
  const row = spaciousRow(workspace, rows.width, reach)
  return rowsBy({ width, height: rows.height }, (_y, address) => {
    rows.writeNext(row)
    workspace.kernels.repeatEnds(row, rows.width, reach)
    filter(row, address)
  })
}

/** The rows of a plane whose last ones are looked at elsewhere as well. */
export const copiesOf = (workspace: Workspace, rows: RecentRows): PlaneRows =>
  rowsBy(rows, (y, address) => workspace.kernels.copy(rows.at(y), rowBytes(rows.width), address))

/** Sums of rows, each with as many terms as there are weights. @param termsOf the addresses of a row's terms, and their weights' */
function mixedRows(
  workspace: Workspace,
  size: Pick<PlaneRows, 'width' | 'height'>,
  count: number,
  termsOf: (y: number, terms: number[]) => number,
): PlaneRows {
  const addresses = workspace.allocate(count * FLOAT)
  const terms: number[] = Array.from({ length: count }, () => 0)
  return rowsBy(size, (y, address) => {
    const weights = termsOf(y, terms)
    workspace.addresses(addresses, count).set(terms)
    workspace.kernels.mixRows(addresses, weights, count, size.width, address)
  })
}

/** Half of a symmetric filter, its middle first. */
export type HalfFilter = readonly number[]

export interface Blur {
  readonly half: HalfFilter
  /** What the blurred plane is multiplied by, and what is added to it: rows of the same size, times a number. */
  readonly factor?: number
  readonly plus?: { readonly rows: RecentRows; readonly factor: number }
}

/** Blurs a plane by a symmetric filter, along rows and columns. */
export function blurredRows(workspace: Workspace, rows: PlaneRows, { half, factor = 1, plus }: Blur): PlaneRows {
  const { width, height } = rows
  const { kernels } = workspace
  const reach = half.length - 1
  const halfWeights = workspace.place(Float32Array.from(half))
  const across = acrossRows(workspace, rows, { width, reach }, (row, to) =>
    kernels.blurAcross(row, halfWeights, reach, width, to),
  )
  const recent = new RecentRows(workspace, across, 2 * reach + 1)
  const down = [...half.slice(1).toReversed(), ...half].map((weight) => weight * factor)
  const weights = workspace.place(Float32Array.of(...down, ...(plus ? [plus.factor] : [])))
  const count = down.length + (plus ? 1 : 0)
  return mixedRows(workspace, { width, height }, count, (y, terms) => {
    for (let step = -reach; step <= reach; step++) terms[reach + step] = recent.at(y + step)
    if (plus) terms[2 * reach + 1] = plus.rows.at(y)
    return weights
  })
}

/** The rows of one plane minus those of another. */
export function differenceRows(workspace: Workspace, rows: RecentRows, minus: PlaneRows): PlaneRows {
  const weights = workspace.place(Float32Array.of(1, -1))
  const other = workspace.allocate(rowBytes(rows.width))
  return mixedRows(workspace, rows, 2, (y, terms) => {
    minus.writeNext(other)
    terms[0] = rows.at(y)
    terms[1] = other
    return weights
  })
}

/**
 * Doubles width and height. Pixels are squares: two new ones share an old one, a quarter before and a quarter behind its centre, so
 * there are two sets of weights, mirror images of each other.
 * @param before the weights of the first of each two, of an even number of samples
 * @param plus rows that are added to the result
 */
export function doubledRows(workspace: Workspace, rows: PlaneRows, before: readonly number[], plus?: RecentRows): PlaneRows {
  const { width, height } = rows
  const taps = before.length
  const reach = taps / 2
  const beforeWeights = workspace.place(Float32Array.from(before))
  const across = acrossRows(workspace, rows, { width: 2 * width, reach }, (row, to) =>
    workspace.kernels.doubleAcross(row, beforeWeights, taps, width, to),
  )
  const recent = new RecentRows(workspace, across, 2 * reach + 1)
  const count = taps + (plus ? 1 : 0)
  const weights = workspace.place(Float32Array.of(...before, ...(plus ? [1] : [])))
  return mixedRows(workspace, { width: 2 * width, height: 2 * height }, count, (y, terms) => {
    const step = y % 2 === 0 ? 1 : -1
    for (let tap = 0; tap < taps; tap++) terms[tap] = recent.at((y >> 1) + step * (tap - reach))
    if (plus) terms[taps] = plus.at(y)
    return weights
  })
}

/**
 * Halves width and height.
 * @param rows of even width and height
 * @param weights of as many samples as there are weights, an even number, whose middle is that of two pixels
 */
export function halvedRows(workspace: Workspace, rows: PlaneRows, weights: readonly number[]): PlaneRows {
  const width = rows.width / 2
  const taps = weights.length
  const address = workspace.place(Float32Array.from(weights))
  const across = acrossRows(workspace, rows, { width, reach: taps }, (row, to) =>
    workspace.kernels.halveAcross(row, address, taps, width, to),
  )
  const recent = new RecentRows(workspace, across, taps)
  return mixedRows(workspace, { width, height: rows.height / 2 }, taps, (y, terms) => {
    for (let tap = 0; tap < taps; tap++) terms[tap] = recent.at(2 * y + 1 - taps / 2 + tap)
    return address
  })
}

/**
 * Gives pixels whose opacity is 0 the mean of those around, each weighted by its opacity.
 */
export function filledRows(workspace: Workspace, plane: PlaneRows, opacity: PlaneRows, half: HalfFilter): PlaneRows {
  const { width } = plane
  const { kernels } = workspace
  const colours = new RecentRows(workspace, plane, half.length)
  const opacities = new RecentRows(workspace, opacity, half.length)
  const product = rowsBy(plane, (y, to) => kernels.multiplyRows(colours.at(y), opacities.at(y), width, to))
  const sums = blurredRows(workspace, product, { half })
  const weights = blurredRows(workspace, copiesOf(workspace, opacities), { half })
  const sum = workspace.allocate(rowBytes(width))
  const weight = workspace.allocate(rowBytes(width))
  return rowsBy(plane, (y, to) => {
    sums.writeNext(sum)
    weights.writeNext(weight)
    kernels.fillHidden(colours.at(y), opacities.at(y), sum, weight, width, to)
  })
}
