import { existsSync, renameSync } from 'node:fs'
import { basename, join } from 'node:path'
import sharp from 'sharp'
import { addGrain } from './random.ts'

const width = 4000
const height = 3000
// Chosen so that the files are as large as those of a camera of this size, about 3 MB at quality 90.
const grain = 6

/** A picture of 12 megapixels like a camera's: soft at the pixel level, with a little grain. */
async function enlarge(source: string, target: string, seed: number): Promise<void> {
  const samples = await sharp(source).autoOrient().resize(width, height, { fit: 'cover' }).removeAlpha().raw().toBuffer()
  addGrain(samples, seed, grain)
  const partial = `${target}.part`
  await sharp(samples, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 90 })
    .toFile(partial)
  renameSync(partial, target)
}

/** Changes when the pictures would: part of the name of their folder. */
export const recipe = `${width}x${height}-${grain}`

/** Creates missing pictures. */
export async function enlargePhotographs(sources: readonly string[], folder: string): Promise<void> {
  for (const [seed, source] of sources.entries()) {
    const target = join(folder, `${basename(source).replace(/\.jpe?g$/i, '')}.jpg`)
    if (!existsSync(target)) await enlarge(source, target, seed + 1)
  }
}
