import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { drawPhotographs } from '../../bench/photographs/draw-photograph.ts'
import type { Bitmap } from '../../src/codecs/bitmap.ts'

/** Small enough that what was a soft or noisy file is sharp and clean at the pixel: what is done to it can be measured. */
const SIDE = 512
const [PHOTOGRAPHS, DRAWN] = [12, 4]

/** The JPEGs of a folder, and some that are drawn. */
export async function cleanPictures(folder: string): Promise<readonly Bitmap[]> {
  const given = globSync('*.jpg', { cwd: folder }).sort().slice(0, PHOTOGRAPHS)
  if (!given.length) throw new Error('The folder has no photographs (*.jpg).')
  const drawn = mkdtempSync(join(tmpdir(), 'pixelmill-enhance-'))
  try {
    await drawPhotographs(drawn, DRAWN)
    const files = [
      ...given.map((name) => join(folder, name)),
      ...globSync('*.jpg', { cwd: drawn }).map((name) => join(drawn, name)),
    ]
    return await Promise.all(files.map((file) => decoded(sharp(file).autoOrient().resize(SIDE, SIDE, { fit: 'inside' }))))
  } finally {
    rmSync(drawn, { recursive: true })
  }
}

/** Of 12 megapixels, soft at the pixel as a camera's. */
export const largePicture = async (folder: string): Promise<Bitmap> => {
  const [name = ''] = globSync('*.jpg', { cwd: folder }).sort()
  return decoded(sharp(join(folder, name)).autoOrient().resize(4_000, 3_000, { fit: 'cover' }))
}

export async function decoded(pixels: Sharp): Promise<Bitmap> {
  const { data, info } = await pixels.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}
