import type { Size } from '@pixelmill/codecs/pixels/size'

/** One byte a pixel, in rows: 1 where the subject is, 0 where the background is. */
export type Mask = Uint8Array

/** The 4-connected components of a mask. */
export interface Regions {
  /** Number of each pixel's region, from 1; 0 if it belongs to none. */
  readonly labels: Int32Array
  /** Pixel count of each region, by its number. */
  readonly areas: readonly number[]
  /** Whether each region touches the edge of the picture. */
  readonly atEdge: readonly boolean[]
}

/** The connected components of the pixels whose value is `side`. */
export function regionsOf(mask: Mask, { width, height }: Size, side: 0 | 1): Regions {
  const labels = new Int32Array(mask.length)
  const areas = [0]
  const atEdge = [false]
  const stack = new Int32Array(mask.length)
  for (let seed = 0; seed < mask.length; seed++) {
    if (mask[seed] !== side || labels[seed] !== 0) continue
    const region = areas.length
    let waitingCount = 1
    let area = 0
    let edge = false
    labels[seed] = region
    stack[0] = seed
    for (; waitingCount > 0; area++) {
      const pixel = stack[--waitingCount] as number
      const column = pixel % width
      const isFirstRow = pixel < width
      const isLastRow = pixel >= (height - 1) * width
      if (column > 0 && mask[pixel - 1] === side && labels[pixel - 1] === 0) {
        labels[pixel - 1] = region
        stack[waitingCount++] = pixel - 1
      }
      if (column < width - 1 && mask[pixel + 1] === side && labels[pixel + 1] === 0) {
        labels[pixel + 1] = region
        stack[waitingCount++] = pixel + 1
      }
      if (!isFirstRow && mask[pixel - width] === side && labels[pixel - width] === 0) {
        labels[pixel - width] = region
        stack[waitingCount++] = pixel - width
      }
      if (!isLastRow && mask[pixel + width] === side && labels[pixel + width] === 0) {
        labels[pixel + width] = region
        stack[waitingCount++] = pixel + width
      }
      edge ||= column === 0 || column === width - 1 || isFirstRow || isLastRow
    }
    areas.push(area)
    atEdge.push(edge)
  }
  return { labels, areas, atEdge }
}

/**
 * Removes specks from a mask and fills its small holes.
 * @param least smallest region that stays, as a share of the largest one
 * @param mostHole largest hole that is filled, as a share of the picture
 */
export function withoutSpecks(mask: Mask, size: Size, least: number, mostHole: number): Mask {
  const parts = regionsOf(mask, size, 1)
  const fewest = least * largestArea(parts)
  const keptMask = new Uint8Array(mask.length)
  for (let pixel = 0; pixel < mask.length; pixel++)
    keptMask[pixel] = (parts.areas[parts.labels[pixel] as number] as number) >= Math.max(1, fewest) ? 1 : 0
  const holes = regionsOf(keptMask, size, 0)
  const filledHoles = holes.areas.map((area, hole) => !holes.atEdge[hole] && area < mostHole * mask.length)
  for (let pixel = 0; pixel < mask.length; pixel++) if (filledHoles[holes.labels[pixel] as number]) keptMask[pixel] = 1
  return keptMask
}

/** Pixel count of the largest region; 0 if there is none. */
export const largestArea = ({ areas }: Regions): number => areas.reduce((largest, area) => Math.max(largest, area), 0)

/** The subject's share of the picture. */
export function coverage(mask: Mask): number {
  let sum = 0
  for (let pixel = 0; pixel < mask.length; pixel++) sum += mask[pixel] as number
  return sum / mask.length
}

/** 1 for equal masks, 0 for disjoint ones. */
export function intersectionOverUnion(a: Mask, b: Mask): number {
  let both = 0
  let either = 0
  for (let pixel = 0; pixel < a.length; pixel++) {
    both += (a[pixel] as number) & (b[pixel] as number)
    either += (a[pixel] as number) | (b[pixel] as number)
  }
  return either ? both / either : 0
}

/** The pixels of a subject that touch the background. */
export function outlineOf(mask: Mask, width: number): readonly number[] {
  const outline: number[] = []
  for (let pixel = width; pixel < mask.length - width; pixel++) {
    const inner = mask[pixel - 1] && mask[pixel + 1] && mask[pixel - width] && mask[pixel + width]
    if (mask[pixel] && !inner) outline.push(pixel)
  }
  return outline
}

/** A mask of the subject, and how likely it is right. */
export interface Segmentation {
  readonly mask: Mask
  /** 0–1 */
  readonly confidence: number
}
