import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { drawPhotographs } from '../../bench/photographs/draw-photograph.ts'
import type { Bitmap } from '../../src/codecs/reader.ts'

/** Small enough that what was a soft or noisy file is sharp and clean at the pixel: what is done to it can be measured. */
const SIDE = 512
const [PHOTOGRAPHS, DRAWN] = [16, 4]

/** The JPEGs of a folder. */
export async function photographs(folder: string): Promise<readonly Bitmap[]> {
  const names = globSync('*.jpg', { cwd: folder }).sort().slice(0, PHOTOGRAPHS)
  if (!names.length) throw new Error(`There are no photographs (*.jpg) in ${folder}.`)
  return Promise.all(names.map((name) => decoded(sharp(join(folder, name)).autoOrient().resize(SIDE, SIDE, { fit: 'inside' }))))
}

/** Pictures that everyone has, as they are drawn here. */
export async function drawnPictures(): Promise<readonly Bitmap[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-enhance-'))
  try {
    await drawPhotographs(folder, DRAWN)
    return await photographs(folder)
  } finally {
    rmSync(folder, { recursive: true })
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
