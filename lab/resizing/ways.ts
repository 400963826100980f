import { readHeader } from '@pixelmill/codecs/pixels/header'
import { openImage } from '@pixelmill/codecs/pixels/open'
import type { Size } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { resize } from '@pixelmill/engine/image/resize'
import sharp, { type Sharp } from 'sharp'
import type { Rgb } from './exact-resize.ts'

/** A method to scale a file to exactly this size. */
export type Way = (file: Buffer, to: Size) => Promise<Rgb>

async function rgb(pixels: Sharp): Promise<Rgb> {
  const { data, info } = await pixels.toColourspace('srgb').removeAlpha().raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height }
}

const fill = (to: Size) => ({ ...to, fit: 'fill' }) as const

/** sharp's resize only: on samples, with the shrink-on-load of the JPEG and WebP decoders. */
export const plain: Way = (file, to) => rgb(sharp(file).resize(fill(to)))

export const light: Way = async (file, to) => {
  const whole = await readStrip(sharp(file), 1, false)
  return rgb(pipelineOf(whole).pipelineColourspace('scrgb').resize(fill(to)))
}

/** The service's method. */
export const ours: Way = async (file, to) => {
  const header = await readHeader(file)
  const image = await openImage(file, header, header.codec)
  return rgb(await resize(image, { ...fill(to), background: '#ffffff' }))
}

export const decode = (file: Buffer) => rgb(sharp(file))

/** CPU milliseconds, minimum of three. */
export async function cost(way: Way, file: Buffer, to: Size): Promise<number> {
  let least = Infinity
  for (let round = 0; round < 3; round++) {
    const began = process.cpuUsage()
    await way(file, to)
    const { user, system } = process.cpuUsage(began)
    least = Math.min(least, (user + system) / 1000)
  }
  return least
}
