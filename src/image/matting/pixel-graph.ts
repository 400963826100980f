import type { Size } from '../result-size.ts'

/** Neighbours of a pixel: each direction stands beside its opposite, which is its number with the last bit turned. */
export const DIRECTIONS = 8
export const opposite = (direction: number): number => direction ^ 1

/**
 * A picture as a flow network: pixels are tied to their eight neighbours, and to the source (subject) or the sink
 * (background). One pixel of margin all round, tied to nothing, spares every look at the edges.
 */
export interface PixelGraph extends Size {
  /** Columns with both margins. */
  readonly stride: number
  /** From a node to its neighbour in each direction. */
  readonly offsets: Int32Array
  /** What can still flow from a node in each direction: at node · 8 + direction. */
  readonly capacity: Float64Array
  /** What can still flow from the source into a node, or where negative, out of it into the sink. */
  readonly terminal: Float64Array
}

export function emptyGraph({ width, height }: Size): PixelGraph {
  const stride = width + 2
  const nodes = stride * (height + 2)
  const offsets = Int32Array.of(1, -1, stride, -stride, stride + 1, -stride - 1, stride - 1, 1 - stride)
  const [capacity, terminal] = [new Float64Array(nodes * DIRECTIONS), new Float64Array(nodes)]
  return { width, height, stride, offsets, capacity, terminal }
}

export const nodeOf = ({ width, stride }: PixelGraph, pixel: number): number => {
  const column = pixel % width
  return ((pixel - column) / width + 1) * stride + column + 1
}
