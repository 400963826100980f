import { z } from 'zod'
import { codecs } from '../codecs/index.ts'
import { limits, MiB } from '../contract/limits.ts'
import { encode } from '../image/encode.ts'
import { readHeader } from '../image/header.ts'
import type { Image } from '../image/image.ts'
import { clearHidden } from '../image/matting/already-cut-out.ts'
import { applyMatte } from '../image/matting/apply-matte.ts'
import { boundAlpha } from '../image/matting/bound-alpha.ts'
import { openImage } from '../image/open.ts'
import { checkResult, type Size } from '../image/result-size.ts'
import { sharp } from '../image/sharp.ts'
import type { Raster } from '../image/ssim.ts'
import { readStrip } from '../image/strip.ts'
import { defineStudy } from './study.ts'

const side = z.int().min(1).max(limits.pixels)

/** What can be wrong with the picture that a service sent. */
const faults = ['unreadable', 'no-alpha', 'other-shape', 'all-opaque', 'all-transparent'] as const
type Fault = (typeof faults)[number]

/** Sides may be longer or shorter by this share, or by a pixel: services round. */
const SHAPE_TOLERANCE = 0.01
/** Of an answer with nothing less opaque than the first, or nothing more than the second, nothing was cut out. */
const [OPAQUE, TRANSPARENT] = [250, 5]

/**
 * What a service made of a picture, as the answer to the caller: its pixels, where it has as many as the picture; else only where
 * it is transparent, carried over to the picture's own pixels. Nothing of it is believed before it is decoded here.
 */
export const applyCutOut = defineStudy({
  params: z.object({ format: z.enum(['png', 'webp']) }),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    /** Why the service's picture cannot be used: there is no file then. */
    fault: z.enum(faults).optional(),
  }),
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  // 80 megapixels written as WebP take 22 s of a core.
  secondsPerMegapixel: 1.5,
  async examine(image, { format }, [answer]) {
    const { header } = image
    const { width, height } = header
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const given = await cutOutIn(answer, header)
    if (typeof given === 'string') return { report: { width, height, fault: given }, files: [] }
    const isWhole = given.width === width && given.height === height
    const { data } = isWhole ? given : await cutOutBy(image, given)
    const pixels = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels, codec, width, height, header, ...how })
    return { report: { width, height }, files: [bytes] }
  },
})

/** The picture that a service sent, or what is wrong with it. */
async function cutOutIn(answer: Buffer = Buffer.alloc(0), source: Size): Promise<Raster | Fault> {
  const picture = await decoded(answer)
  if (picture === undefined) return 'unreadable'
  if (picture.channels !== 4) return 'no-alpha'
  if (!hasShapeOf(picture, source)) return 'other-shape'
  const [least, most] = alphaRange(picture)
  if (least >= OPAQUE) return 'all-opaque'
  if (most <= TRANSPARENT) return 'all-transparent'
  clearHidden(picture)
  return picture
}

/** Undefined for what is no picture, or too large a one: whoever sent it is at fault, and the caller is not told of it. */
const decoded = (answer: Buffer): Promise<Raster | undefined> => pixelsOf(answer).catch(() => undefined)

async function pixelsOf(answer: Buffer): Promise<Raster> {
  const { pixels } = await openImage(answer, await readHeader(answer), codecs.png)
  const strip = await readStrip(pixels, 1, false)
  // 8 bits were asked for.
  return { ...strip, data: strip.data as Uint8Array }
}

function hasShapeOf({ width, height }: Size, source: Size): boolean {
  const isNear = (length: number, wanted: number) => Math.abs(length - wanted) <= Math.max(1, SHAPE_TOLERANCE * wanted)
  return isNear(width, (height * source.width) / source.height) || isNear(height, (width * source.height) / source.width)
}

function alphaRange({ data }: Raster): readonly [least: number, most: number] {
  let [least, most] = [255, 0]
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at] as number
    if (alpha < least) least = alpha
    if (alpha > most) most = alpha
  }
  return [least, most]
}

/** The picture's own pixels, cut out as the service's smaller or larger one is. */
async function cutOutBy({ pixels }: Image, { data, width, height }: Raster): Promise<Raster> {
  const strip = await readStrip(pixels.ensureAlpha(), 1, false)
  const picture = { ...strip, data: strip.data as Uint8Array }
  const alpha = new Uint8Array(width * height)
  for (let pixel = 0; pixel < alpha.length; pixel++) alpha[pixel] = data[pixel * 4 + 3] as number
  const own = picture.data.slice()
  const matte = { data: alpha, width, height }
  applyMatte(picture, matte)
  boundAlpha(picture, own, matte)
  return picture
}
