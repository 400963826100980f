import type { Plane } from './planes.ts'

const BLOCK = 16
/** Noise is measured where the picture has no detail: in the smoothest tenth of its blocks. */
const SMOOTHEST = 0.1
/** The smoothest tenth of blocks of pure noise, with 225 overlapping differences each, show this share of its deviation; measured. */
const OF_PURE_NOISE = 0.91
/**
 * Pure noise is uniform: 1.05 times as strong in the smoothest tenth as in the smoothest fiftieth. A larger ratio means
 * texture, or sensor noise, which is weaker in the dark; then less is removed than could be.
 */
const SMOOTHEST_OF_ALL = 0.02
const UNIFORM = 1.25
/** Nearer than this to black or white, noise is clipped: such blocks are unreliable. */
const CLIPPED = 12
/** If a smaller share of blocks is unclipped, all blocks are used. */
const UNCLIPPED = 0.3
/** Fewer blocks are not enough for an estimate: an icon may be all texture. */
const ENOUGH = 48

export interface Noise {
  /** Standard deviation, on the scale of the samples; 0 if there are too few blocks. */
  readonly deviation: number
  /**
   * Its strength at half the resolution divided by that at full resolution. Sensor noise is white and has 1.0 to 1.4; foliage,
   * water and hair, which may fill even the smoothest blocks, have 1.5 to 4, as does noise after JPEG compression.
   */
  readonly coarseness: number
}

/** Measurements of one block. */
export interface Block {
  readonly deviation: number
  /** The same for the block at half the resolution. */
  readonly coarse: number
  /** Too dark or too bright. */
  readonly clipped: boolean
}

/**
 * Measures all blocks without fully transparent pixels.
 * @param light brightness of 0–255 for each sample of the plane
 */
export function blocksOf(plane: Plane, light: Plane, width: number, height: number, alpha?: Plane): readonly Block[] {
  const blocks: Block[] = []
  for (let top = 0; top + BLOCK <= height; top += BLOCK) {
    for (let left = 0; left + BLOCK <= width; left += BLOCK) {
      const at = top * width + left
      if (alpha && !isVisible(alpha, width, at)) continue
      const mean = meanOf(light, width, at)
      const deviation = deviationOf(plane, width, at)
      const coarse = coarseOf(plane, width, at)
      blocks.push({ deviation, coarse, clipped: mean < CLIPPED || mean > 255 - CLIPPED })
    }
  }
  return blocks
}

/**
 * Diagonal differences, the finest band of the Haar transform, contain almost nothing but noise (Donoho and Johnstone 1994, who
 * take their median over the whole picture; on sharp photographs that gives twice the noise, since texture counts too).
 */
export function noiseOf(blocks: readonly Block[]): Noise {
  if (blocks.length < ENOUGH) return { deviation: 0, coarseness: 1 }
  const unclippedBlocks = blocks.filter(({ clipped }) => !clipped)
  const usedBlocks = unclippedBlocks.length >= UNCLIPPED * blocks.length ? unclippedBlocks : blocks
  const byDeviation = usedBlocks.toSorted((a, b) => a.deviation - b.deviation)
  const smoothest = (share: number) => byDeviation[Math.floor(share * byDeviation.length)]?.deviation ?? 0
  const deviation = Math.min(smoothest(SMOOTHEST), UNIFORM * smoothest(SMOOTHEST_OF_ALL)) / OF_PURE_NOISE
  return { deviation, coarseness: coarsenessOf(byDeviation.slice(0, Math.ceil(SMOOTHEST * byDeviation.length))) }
}

/** By medians, so that edges in a few blocks do not matter. */
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

/** As `deviationOf`, on sums of 2 × 2 pixels: for white noise, both are equal. */
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
