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

export interface Noise {
  /** Standard, on the scale of the samples; 0 where there are too few blocks to tell. */
  readonly deviation: number
  /**
   * How much stronger it is between pixels twice as large. Noise of a sensor is white, and has 1.0 to 1.4; foliage, water and
   * hair, of which even the calmest blocks may be full, have 1.5 to 4, as has noise that JPEG was let at.
   */
  readonly coarseness: number
}

/** What a block tells of noise. */
export interface Block {
  readonly deviation: number
  /** The same of the block at half its size. */
  readonly coarse: number
  /** Too dark or too bright to tell. */
  readonly clipped: boolean
}

/**
 * What nobody can see is left out.
 * @param light brightness of 0–255 for each sample of the plane
 */
export function blocksOf(plane: Plane, light: Plane, width: number, height: number, alpha?: Plane): readonly Block[] {
  const blocks: Block[] = []
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      const at = top * width + left
      if (alpha && !isVisible(alpha, width, at)) continue
      const mean = meanOf(light, width, at)
      const [deviation, coarse] = [deviationOf(plane, width, at), coarseOf(plane, width, at)]
      blocks.push({ deviation, coarse, clipped: mean < CLIPPED || mean > 255 - CLIPPED })
    }
  }
  return blocks
}

/**
 * Differences along both diagonals at once, the finest band of the Haar transform, hold almost nothing of a picture but its
 * noise (Donoho and Johnstone 1994, who take their median over all of it; on sharp photographs that is twice the noise, since
 * texture counts too).
 */
export function noiseOf(blocks: readonly Block[]): Noise {
  if (blocks.length < ENOUGH) return { deviation: 0, coarseness: 1 }
  const unclipped = blocks.filter(({ clipped }) => !clipped)
  const asked = unclipped.length >= UNCLIPPED * blocks.length ? unclipped : blocks
  const sorted = asked.toSorted((a, b) => a.deviation - b.deviation)
  const calmest = (share: number) => sorted[Math.floor(share * sorted.length)]?.deviation ?? 0
  const deviation = Math.min(calmest(CALMEST), ALIKE * calmest(CALMEST_OF_ALL)) / OF_PURE_NOISE
  return { deviation, coarseness: coarsenessOf(sorted.slice(0, Math.ceil(CALMEST * sorted.length))) }
}

/** Of the block in the middle: an edge in a few of them says nothing. */
function coarsenessOf(blocks: readonly Block[]): number {
  const middle = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0
  const fine = middle(blocks.map(({ deviation }) => deviation))
  return fine > 0 ? middle(blocks.map(({ coarse }) => coarse)) / fine : 1
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

/** As `deviationOf`, of pixels two wide and two high, each a sum of four: for white noise, the same. */
function coarseOf(plane: Plane, width: number, at: number): number {
  const four = (i: number) =>
    (plane[i] as number) + (plane[i + 1] as number) + (plane[i + width] as number) + (plane[i + width + 1] as number)
  let sum = 0
  for (let y = 0; y < BLOCK - 3; y += 2) {
    for (let i = at + y * width, end = i + BLOCK - 3; i < end; i += 2) {
      const twice = four(i) - four(i + 2) - four(i + 2 * width) + four(i + 2 * width + 2)
      sum += twice * twice
    }
  }
  return Math.sqrt(sum) / 4 / (BLOCK / 2 - 1)
}

function isVisible(alpha: Plane, width: number, at: number): boolean {
  for (let y = 0; y < BLOCK; y++) for (let x = 0; x < BLOCK; x++) if (alpha[at + y * width + x] === 0) return false
  return true
}

function meanOf(plane: Plane, width: number, at: number): number {
  let sum = 0
  for (let y = 0; y < BLOCK; y++) for (let x = 0; x < BLOCK; x++) sum += plane[at + y * width + x] as number
  return sum / (BLOCK * BLOCK)
}
