import type { Bitmap } from '@pixelmill/codecs/reader'
import { seededRandom } from '@pixelmill/codecs/test/photographs/random'
import { gaussian } from '@pixelmill/vision/enhance/gaussian'
import sharp, { type Sharp } from 'sharp'
import { decode } from './pictures.ts'

/** A degradation of a clean picture; the seed gives each picture its own noise. */
export type Damage = (picture: Bitmap, seed: number) => Bitmap | Promise<Bitmap>

const clamp = (samples: Float32Array): Uint8Array =>
  Uint8Array.from(samples, (value) => Math.max(0, Math.min(255, Math.round(value))))

/** Gaussian noise of equal strength in red, green and blue. */
function noise(samples: Float32Array, sigma: number, seed: number): Float32Array {
  const random = seededRandom(seed)
  // Box and Muller 1958.
  const normal = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return samples.map((value) => value + sigma * normal())
}

/** Applies a filter to each channel. */
function channelwise(picture: Bitmap, filter: (plane: Float32Array) => Float32Array): Float32Array {
  const { width, height, channels } = picture
  const out = new Float32Array(picture.data.length)
  for (let channel = 0; channel < channels; channel++) {
    const plane = filter(Float32Array.from({ length: width * height }, (_, i) => picture.data[i * channels + channel] ?? 0))
    for (let i = 0; i < plane.length; i++) out[i * channels + channel] = plane[i] ?? 0
  }
  return out
}

export const noisy =
  (sigma: number): Damage =>
  (picture, seed) => ({ ...picture, data: clamp(noise(Float32Array.from(picture.data), sigma, seed)) })

export const blur =
  (sigma: number, grain: number): Damage =>
  (picture, seed) => {
    const soft = channelwise(picture, (plane) => gaussian(plane, picture.width, picture.height, sigma))
    return { ...picture, data: clamp(noise(soft, grain, seed)) }
  }

/** Motion blur by a camera moving sideways. */
export const shaken =
  (path: number, grain: number): Damage =>
  (picture, seed) => {
    const { width } = picture
    const smear = channelwise(picture, (plane) =>
      plane.map((_, i) => {
        const left = i - (i % width)
        let sum = 0
        for (let step = 0; step < path; step++) sum += plane[left + Math.min(width - 1, (i % width) + step)] ?? 0
        return sum / path
      }),
    )
    return { ...picture, data: clamp(noise(smear, grain, seed)) }
  }

export const pixelsOf = ({ data, width, height }: Bitmap): Sharp => sharp(data, { raw: { width, height, channels: 3 } })

export const asJpeg =
  (quality: number): Damage =>
  async (picture) =>
    decode(sharp(await pixelsOf(picture).jpeg({ quality }).toBuffer()))

export const noDamage: Damage = (picture) => picture
