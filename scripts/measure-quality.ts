import { globSync } from 'node:fs'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'
import { ssim } from './quality/ssim.ts'

/** `node scripts/measure-quality.ts FOLDER`: which libaom quality looks like which JPEG quality; makes the table in codecs/avif.ts. */

const SIDE = 768
const asked = [10, 25, 50, 75, 90, 95] as const
const tried = [10, 20, 30, 40, 50, 60, 70, 80, 90, 95] as const

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Name a folder of photographs (JPEG).')

const luma = (image: Sharp): Promise<Buffer> => image.toColourspace('b-w').raw().toBuffer()

interface Photo {
  readonly pixels: Buffer
  readonly luma: Buffer
  readonly width: number
  readonly height: number
}

async function open(path: string): Promise<Photo> {
  const small = sharp(path).resize(SIDE, SIDE, { fit: 'inside' }).removeAlpha().toColourspace('srgb')
  const { data, info } = await small.png().toBuffer({ resolveWithObject: true })
  return { pixels: data, luma: await luma(sharp(data)), width: info.width, height: info.height }
}

/** Mean SSIM over the photographs of what an encoder makes of them. */
async function likeness(photos: readonly Photo[], encode: (pixels: Sharp, photo: Photo) => Sharp): Promise<number> {
  let sum = 0
  for (const photo of photos) {
    const bytes = await encode(sharp(photo.pixels), photo).toBuffer()
    sum += ssim(photo.luma, await luma(sharp(bytes)), photo.width, photo.height)
  }
  return sum / photos.length
}

const photos = await Promise.all(globSync('*.jpg', { cwd: folder }).map((name) => open(join(folder, name))))
const aom: (readonly [quality: number, likeness: number])[] = []
for (const quality of tried) {
  aom.push([quality, await likeness(photos, (pixels) => pixels.avif({ quality, effort: 2, chromaSubsampling: '4:2:0' }))])
}
console.log(`${photos.length} photographs`)
console.log('asked  JPEG SSIM  libaom quality')
for (const quality of asked) {
  const goal = await likeness(photos, (pixels) => pixels.jpeg({ quality, chromaSubsampling: quality >= 90 ? '4:4:4' : '4:2:0' }))
  const above = aom.findIndex(([, value]) => value >= goal)
  const [high, valueHigh] = aom[above] ?? [100, 1]
  const [low, valueLow] = aom[above - 1] ?? [1, 0]
  const match = low + ((goal - valueLow) / (valueHigh - valueLow)) * (high - low)
  console.log(`${String(quality).padStart(5)}  ${goal.toFixed(4).padStart(9)}  ${match.toFixed(0).padStart(14)}`)
}
