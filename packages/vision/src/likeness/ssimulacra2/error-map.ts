import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { type BlockSums, type Sums, sumsByBlock } from '@pixelmill/kernels/ssimulacra2'
import { atLeastSmallest, BACKGROUNDS } from './ssimulacra2.ts'
import { planesOf, scalesOf, scoreOf } from './terms.ts'

/** Where a picture differs from its original. */
export interface ErrorMap {
  /** SSIMULACRA2 of the whole picture. */
  readonly score: number
  /** Blocks in a row and rows of blocks; each block is 8 pixels a side, or what is left at the right and at the bottom. */
  readonly columns: number
  readonly rows: number
  /** For each block, the score of a picture that differs everywhere as it does there: 100 where nothing differs, and below 0. */
  readonly scores: Float32Array
}

/** Pixels a side of a block. */
const SIDE = 8

/**
 * SSIMULACRA2 with the place of its errors. At smaller scales a block takes part of the errors of a larger area, as the eye does.
 * @param original 8 bits a channel
 * @param result of the same size
 * @throws Error where the sizes differ
 */
export function errorMapOf(original: Raster, result: Raster): ErrorMap {
  const hasAlpha = [original, result].some(({ channels }) => channels === 2 || channels === 4)
  const maps = BACKGROUNDS.slice(0, hasAlpha ? 2 : 1).map((background) => mapOn(background, original, result))
  return maps.reduce((worst, map) => (map.score < worst.score ? map : worst))
}

function mapOn(background: number, original: Raster, result: Raster): ErrorMap {
  const picture = atLeastSmallest(result)
  const scales = scalesOf(picture)
  const comparison = { scales: planesOf(scales), background, outside: 'zero' } as const
  const sums = sumsByBlock(atLeastSmallest(original), comparison, picture, SIDE)
  const columns = Math.ceil(picture.width / SIDE)
  const rows = Math.ceil(picture.height / SIDE)
  const scores = new Float32Array(columns * rows)
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const local = sums.map((planes, scale) => planes.map((blocks) => blocks && blockAt(blocks, scale, column, row)))
      scores[row * columns + column] = scoreOf(local, scales)
    }
  }
  const whole = sums.map((planes) => planes.map((blocks) => blocks && wholeOf(blocks)))
  return { score: scoreOf(whole, scales), columns, rows, scores }
}

/** The block of a scale that covers a block of full size. */
function blockAt({ side, columns, width, height, values }: BlockSums, scale: number, column: number, row: number): Sums {
  const blocksPerSide = (side * 2 ** scale) / SIDE
  const x = Math.floor(column / blocksPerSide)
  const y = Math.floor(row / blocksPerSide)
  const first = 6 * (y * columns + x)
  const pixels = Math.min(side, width - x * side) * Math.min(side, height - y * side)
  return { pixels, values: values.subarray(first, first + 6) }
}

function wholeOf({ width, height, values }: BlockSums): Sums {
  const sums = new Float64Array(6)
  for (const [place, value] of values.entries()) sums[place % 6] = (sums[place % 6] as number) + value
  return { pixels: width * height, values: sums }
}
