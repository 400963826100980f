import type { Figure } from './figure-at.ts'
import { lights, type RowName, type SweptCell, scores } from './sweep-cell.ts'

const [, HIGH] = scores

/** The figure at the middle score in the light that a server reduces: where more pictures reach it, or in fewer bytes. */
export function figureOfKind(cell: SweptCell, row: RowName): Figure | undefined {
  const figures = lights.flatMap((light) => cell.rows[row]?.[light][HIGH] ?? [])
  return figures.sort((one, other) => other.reached - one.reached || one.bytes - other.bytes)[0]
}
