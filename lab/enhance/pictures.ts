import { globSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bitmap } from '@pixelmill/codecs/reader'
import { drawPhotographs } from '@pixelmill/codecs/test/photographs/draw-photograph'
import sharp, { type Sharp } from 'sharp'

/** Small enough that soft or noisy files are sharp and clean at pixel level, so that degradations can be measured. */
const SIDE = 512
const PHOTOGRAPHS = 16
const DRAWN = 4

/** The JPEGs of a folder. */
export async function photographs(folder: string): Promise<readonly Bitmap[]> {
  const names = globSync('*.jpg', { cwd: folder }).sort().slice(0, PHOTOGRAPHS)
  if (!names.length) throw new Error(`There are no photographs (*.jpg) in ${folder}.`)
  return Promise.all(names.map((name) => decode(sharp(join(folder, name)).autoOrient().resize(SIDE, SIDE, { fit: 'inside' }))))
}

/** Drawn pictures, available on every machine. */
export async function drawnPictures(): Promise<readonly Bitmap[]> {
  const folder = mkdtempSync(join(tmpdir(), 'pixelmill-enhance-'))
  try {
    await drawPhotographs(folder, DRAWN)
    return await photographs(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** 12 megapixels, soft at pixel level like a camera's. */
export const largePicture = async (folder: string): Promise<Bitmap> => {
  const [name = ''] = globSync('*.jpg', { cwd: folder }).sort()
  return decode(sharp(join(folder, name)).autoOrient().resize(4_000, 3_000, { fit: 'cover' }))
}

export async function decode(pixels: Sharp): Promise<Bitmap> {
  const { data, info } = await pixels.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: 3 }
}
