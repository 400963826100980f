import { globSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

export interface Photograph {
  /** PNG, so that every encoder starts with the same pixels. */
  readonly pixels: Buffer
  readonly luma: Buffer
  readonly width: number
  readonly height: number
}

export const lumaOf = (image: Sharp): Promise<Buffer> => image.toColourspace('b-w').raw().toBuffer()

/** The JPEGs of a folder, their longest side at most `side` pixels. */
export const openPhotographs = (folder: string, side: number): Promise<readonly Photograph[]> =>
  Promise.all(globSync('*.jpg', { cwd: folder }).map((name) => open(join(folder, name), side)))

async function open(path: string, side: number): Promise<Photograph> {
  const small = sharp(path).resize(side, side, { fit: 'inside', withoutEnlargement: true }).removeAlpha().toColourspace('srgb')
  const { data, info } = await small.png({ compressionLevel: 1 }).toBuffer({ resolveWithObject: true })
  return { pixels: data, luma: await lumaOf(sharp(data)), width: info.width, height: info.height }
}
