import type { Raster } from '@pixelmill/codecs/pixels/raster'
import type { Bitmap } from '@pixelmill/codecs/reader'
import type { Mode } from '@pixelmill/vision/enhance/choose'
import { enhance } from '@pixelmill/vision/enhance/enhance'
import { ssim } from '@pixelmill/vision/likeness/ssim'
import type { Damage } from './damage.ts'

export interface Gain {
  /** PSNR after minus PSNR before, both relative to the clean picture; 0 if nothing was done, dB. */
  readonly gain: number
  readonly before: number
  /** Structural similarity to the clean picture, up to 1. */
  readonly ssimBefore: number
  readonly ssimAfter: number
  readonly operations: string
}

/** In dB; infinite for equal pictures. */
export function psnr(a: Bitmap['data'], b: Bitmap['data']): number {
  let squares = 0
  for (let i = 0; i < a.length; i++) squares += ((a[i] ?? 0) - (b[i] ?? 0)) ** 2
  return 10 * Math.log10((255 * 255 * a.length) / squares)
}

const similarity = (a: Bitmap, b: Bitmap): number => ssim(rasterOf(a), rasterOf(b))
const rasterOf = ({ data, ...size }: Bitmap): Raster => ({ ...size, data: Uint8Array.from(data) })

/** Degrades each picture, enhances it, and compares. */
export async function gainsOf(
  pictures: readonly Bitmap[],
  damage: Damage,
  mode: Mode,
  jpegQuality = 100,
): Promise<readonly Gain[]> {
  const gains: Gain[] = []
  for (const [index, clean] of pictures.entries()) {
    const damagedPicture = await damage(clean, index + 1)
    const { picture, operations } = enhance(
      { ...damagedPicture, data: Uint8Array.from(damagedPicture.data) },
      { mode, intensity: 2 },
      jpegQuality,
    )
    const before = psnr(damagedPicture.data, clean.data)
    const gain = operations.length ? psnr(picture.data, clean.data) - before : 0
    const ssimBefore = similarity(damagedPicture, clean)
    const ssimAfter = similarity(picture, clean)
    gains.push({ gain, before, ssimBefore, ssimAfter, operations: operations.map(({ name }) => name).join(', ') || 'nothing' })
  }
  return gains
}

export const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
export const decibels = (value: number): string => (Number.isFinite(value) ? value.toFixed(2) : value > 0 ? 'equal' : 'lost')
