import type { Size } from '../result-size.ts'
import type { InputShape } from './session.ts'

/** Pixels of a side that a model is given at once, and how much of that is shown to it only as what stands around. */
const TILE = 256
const OVERLAP = 16
/** Models that halve a picture a few times need sides that can be halved. */
const GRID = 16

/** How a picture is cut: tiles of one size, of which each has a margin that the next one has inside. */
export interface Tiling extends Size {
  readonly margin: number
}

/** Part of a picture: what is inside the margins of one tile. */
export interface Part extends Size {
  readonly left: number
  readonly top: number
}

/** Small pictures are one tile that is no larger than it has to be, where the model takes any. */
export function tilingOf(picture: Size, { width, height }: Partial<Pick<InputShape, 'width' | 'height'>>): Tiling {
  const chosen = (side: number) => Math.min(TILE, Math.ceil((side + 2 * OVERLAP) / GRID) * GRID)
  const tile = { width: width ?? chosen(picture.width), height: height ?? chosen(picture.height) }
  return { ...tile, margin: Math.min(OVERLAP, Math.floor(Math.min(tile.width, tile.height) / 4)) }
}

/** In rows from the top. */
export function partsOf(picture: Size, { width, height, margin }: Tiling): readonly Part[] {
  const [across, down] = [width - 2 * margin, height - 2 * margin]
  const parts: Part[] = []
  for (let top = 0; top < picture.height; top += down) {
    for (let left = 0; left < picture.width; left += across) {
      const inside = { width: Math.min(across, picture.width - left), height: Math.min(down, picture.height - top) }
      parts.push({ left, top, ...inside })
    }
  }
  return parts
}
