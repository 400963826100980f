import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Size } from '@pixelmill/codecs/pixels/size'
import sharp from 'sharp'

export interface MattedPhotograph extends Size {
  readonly name: string
  /** PNG at the measured size. */
  readonly file: Buffer
  /** How much of the subject is to the upper left of each pixel: rows of width + 1 sums. */
  readonly sums: Float64Array
}

/** Longest side for measuring crops. */
const SIDE = 640

/** The photographs of a folder, NAME.jpg each, whose subject is white in NAME.mask.png. */
export const openMatted = (folder: string): Promise<readonly MattedPhotograph[]> =>
  Promise.all(
    globSync('*.mask.png', { cwd: folder })
      .sort()
      .map((mask) => open(folder, basename(mask, '.mask.png'))),
  )

async function open(folder: string, name: string): Promise<MattedPhotograph> {
  const photograph = sharp(join(folder, `${name}.jpg`))
    .autoOrient()
    .resize(SIDE, SIDE, { fit: 'inside' })
    .removeAlpha()
  const { data: file, info } = await photograph.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const matte = sharp(join(folder, `${name}.mask.png`))
    .resize(width, height, { fit: 'fill' })
    .toColourspace('b-w')
  const mask = await matte.extractChannel(0).raw().toBuffer()
  return { name, file, width, height, sums: summedArea(mask, { width, height }) }
}

function summedArea(mask: Uint8Array, { width, height }: Size): Float64Array {
  const sums = new Float64Array((width + 1) * (height + 1))
  for (let row = 0; row < height; row++) {
    let line = 0
    for (let column = 0; column < width; column++) {
      line += mask[row * width + column] ?? 0
      sums[(row + 1) * (width + 1) + column + 1] = (sums[row * (width + 1) + column + 1] ?? 0) + line
    }
  }
  return sums
}
