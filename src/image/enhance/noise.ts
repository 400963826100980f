import type { Plane } from './planes.ts'

const BLOCK = 16
/** Noise is what is left where the picture has nothing to show: in the calmest tenth of its blocks. */
const CALMEST = 0.1
/** What the calmest tenth of blocks of pure noise, of 225 differences each that overlap, has of its deviation; measured. */
const OF_PURE_NOISE = 0.91
/**
 * Noise is alike everywhere: 1.05 times as strong in the calmest tenth as in the calmest fiftieth. What is more than this is
 * texture, or a camera's noise, which is weaker in the dark: there less is taken than could be.
 */
const CALMEST_OF_ALL = 0.02
const ALIKE = 1.25
/** Nearer to black or white than this, noise is cut off: such blocks say too little. */
const CLIPPED = 12
/** Where fewer blocks are left than this share, all are asked. */
const UNCLIPPED = 0.3
/** Fewer blocks tell nothing: an icon may be texture all over. */
const ENOUGH = 48

/** What a block tells of noise. */
export interface Block {
  readonly deviation: number
  /** Too dark or too bright to tell. */
  readonly clipped: boolean
}

/** @param light brightness of 0–255 for each sample of the plane */
export function blocksOf(plane: Plane, light: Plane, width: number, height: number): readonly Block[] {
  const blocks: Block[] = []
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      const at = top * width + left
      const mean = meanOf(light, width, at)
      blocks.push({ deviation: deviationOf(plane, width, at), clipped: mean < CLIPPED || mean > 255 - CLIPPED })
    }
  }
  return blocks
}

/**
 * The standard deviation of the noise in a plane, on the scale of its samples; 0 where there are too few blocks to tell.
 * Differences along both diagonals at once, the finest band of the Haar transform, hold almost nothing of a picture but its
 * noise (Donoho and Johnstone 1994, who take their median over all of it; on sharp photographs that is twice the noise, since
 * texture counts too).
 */
export function noiseOf(blocks: readonly Block[]): number {
  if (blocks.length < ENOUGH) return 0
  const unclipped = blocks.filter(({ clipped }) => !clipped)
  const asked = unclipped.length >= UNCLIPPED * blocks.length ? unclipped : blocks
  const deviations = asked.map(({ deviation }) => deviation).sort((a, b) => a - b)
  const calmest = (share: number) => deviations[Math.floor(share * deviations.length)] ?? 0
  return Math.min(calmest(CALMEST), ALIKE * calmest(CALMEST_OF_ALL)) / OF_PURE_NOISE
}

function deviationOf(plane: Plane, width: number, at: number): number {
  let sum = 0
  for (let y = 0; y < BLOCK - 1; y++) {
    for (let i = at + y * width, end = i + BLOCK - 1; i < end; i++) {
      const twice =
        (plane[i] as number) - (plane[i + 1] as number) - (plane[i + width] as number) + (plane[i + width + 1] as number)
      sum += twice * twice
    }
  }
  return Math.sqrt(sum) / 2 / (BLOCK - 1)
}

function meanOf(plane: Plane, width: number, at: number): number {
  let sum = 0
  for (let y = 0; y < BLOCK; y++) for (let x = 0; x < BLOCK; x++) sum += plane[at + y * width + x] as number
  return sum / (BLOCK * BLOCK)
}
