import { codecs } from '@pixelmill/codecs'
import { limits, MiB } from '@pixelmill/codecs/contract/limits'
import { readHeader } from '@pixelmill/codecs/pixels/header'
import { forOneFrame, type Image, openImage } from '@pixelmill/codecs/pixels/open'
import type { Raster } from '@pixelmill/codecs/pixels/raster'
import { clearHidden, isCutOut } from '@pixelmill/codecs/pixels/raster'
import { checkResult, type Size } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import { sharp } from '@pixelmill/codecs/sharp'
import { applyMatte, boundAlpha } from '@pixelmill/vision/matting/apply-matte'
import type { Sharp } from 'sharp'
import { z } from 'zod'
import { encode } from '../image/encode.ts'
import { featuresAfter } from '../recipe/source-features.ts'
import { defineTask, featureReport } from './task.ts'

const side = z.int().min(1).max(limits.pixels)

/** Maximum pixels for which the copy of a picture with flat colours is a PNG. */
const MOST_EXACT = 4_000_000
/** The first quality is visually lossless; the others are for copies that would be too large otherwise. */
const QUALITIES = [95, 85, 70] as const

/**
 * The copy of a picture for the background removal service: re-encoded, so that neither metadata nor other data hidden in the
 * file leaves the server; upright, in sRGB with 8 bits a channel, opaque, and no larger than the service accepts.
 */
export const cutOutCopy = defineTask({
  params: z.object({
    /** The output format: a picture too large for it is refused before the service is paid. */
    format: z.enum(['png', 'webp']),
    mostPixels: z.int().min(1),
    mostSide: z.int().min(1),
    mostBytes: z.int().min(1),
  }),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    /** Has transparency to be kept: then there is no copy, since the picture is cut out already. */
    alreadyCutOut: z.boolean(),
    type: z.enum(['image/jpeg', 'image/png']),
  }),
  mostFiles: 1,
  fileBytes: 64 * MiB,
  async run(image, { format, mostPixels, mostSide, mostBytes }) {
    const { header } = image
    const { width, height } = header
    checkResult(header, 1, codecs[format])
    const report = { width, height, alreadyCutOut: false, type: 'image/jpeg' } as const
    const opaque = await opaquePixels(image)
    if (!opaque) return { report: { ...report, alreadyCutOut: true }, files: [] }
    const size = within(header, mostPixels, mostSide)
    const raw = await readStrip(opaque.resize({ ...size, fit: 'fill' }), 1, false)
    const png = header.codec.isMostlyFlat && size.width * size.height <= MOST_EXACT
    const exactly = png ? await pipelineOf(raw).png().toBuffer() : undefined
    if (exactly && exactly.length <= mostBytes) return { report: { ...report, type: 'image/png' as const }, files: [exactly] }
    return { report, files: [await photograph(pipelineOf(raw), mostBytes)] }
  },
})

/** The picture on white; undefined if it is cut out already. */
async function opaquePixels({ header, pixels }: Image): Promise<Sharp | undefined> {
  if (!header.alpha) return pixels
  const picture = await readStrip(pixels, 1, false)
  // 8 bits were asked for.
  if (isCutOut({ ...picture, data: picture.data as Uint8Array })) return undefined
  return pipelineOf(picture).flatten({ background: '#fff' })
}

/** The largest size of this shape within the limits of pixels and sides. */
function within({ width, height }: Size, mostPixels: number, mostSide: number): Size {
  const scale = Math.min(1, Math.sqrt(mostPixels / (width * height)), mostSide / Math.max(width, height))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

async function photograph(pixels: Sharp, mostBytes: number): Promise<Buffer> {
  let copy = Buffer.alloc(0)
  for (const quality of QUALITIES) {
    copy = await pixels.clone().jpeg({ quality, chromaSubsampling: '4:4:4' }).toBuffer()
    if (copy.length <= mostBytes) break
  }
  return copy
}

/** Possible faults of a picture from a service. */
const faults = ['unreadable', 'no-alpha', 'other-shape', 'all-opaque', 'all-transparent'] as const
type Fault = (typeof faults)[number]

/** Tolerance of each side, as a share and in pixels: services round. */
const SHAPE_TOLERANCE = 0.01
/** If all pixels are more opaque than the first, or less than the second, nothing was cut out. */
const OPAQUE = 250
const TRANSPARENT = 5

/**
 * Turns a service's picture into the answer: its pixels, if it has as many as the original; otherwise only its transparency,
 * applied to the original's pixels. Nothing is trusted before it is decoded here.
 */
export const applyCutOut = defineTask({
  params: z.object({ format: z.enum(['png', 'webp']) }),
  report: z.object({
    /** Of the image as displayed, in pixels. */
    width: side,
    height: side,
    /** Why the service's picture cannot be used: then there is no file. */
    fault: z.enum(faults).optional(),
    ...featureReport,
  }),
  mostFiles: 1,
  // The largest image without compression.
  fileBytes: limits.pixels * 4 + MiB,
  // 80 megapixels written as WebP take 22 s of a core.
  secondsPerMegapixel: 1.5,
  async run(image, { format }, [answer]) {
    const { header } = image
    const { width, height } = header
    const codec = codecs[format]
    checkResult(header, 1, codec)
    const cutOut = await cutOutIn(answer, header)
    if (typeof cutOut === 'string') return { report: { width, height, fault: cutOut }, files: [] }
    const isWhole = cutOut.width === width && cutOut.height === height
    const { data } = isWhole ? cutOut : await cutOutBy(image, cutOut)
    const pixels = sharp(data, { raw: { width, height, channels: 4 }, limitInputPixels: false })
    const how = { quality: undefined, frames: 1, grey: header.grey, keepDepth: false }
    const { bytes } = await encode({ pixels, codec, width, height, header, ...how })
    const features = featuresAfter({ bytes: image.source, codec: header.codec }, { bytes, codec })
    return { report: { width, height, ...features }, files: [bytes] }
  },
})

/** The service's picture, or its fault. */
async function cutOutIn(answer: Buffer = Buffer.alloc(0), source: Size): Promise<Raster | Fault> {
  const picture = await decodeAnswer(answer)
  if (picture === undefined) return 'unreadable'
  if (picture.channels !== 4) return 'no-alpha'
  if (!hasShapeOf(picture, source)) return 'other-shape'
  const [least, most] = alphaRange(picture)
  if (least >= OPAQUE) return 'all-opaque'
  if (most <= TRANSPARENT) return 'all-transparent'
  clearHidden(picture)
  return picture
}

/** Undefined if it is not a picture or too large: that is the service's fault, so the caller gets no error for it. */
const decodeAnswer = (answer: Buffer): Promise<Raster | undefined> => pixelsOf(answer).catch(() => undefined)

async function pixelsOf(answer: Buffer): Promise<Raster> {
  const { pixels } = await openImage(answer, await readHeader(answer), forOneFrame)
  const strip = await readStrip(pixels, 1, false)
  // 8 bits were asked for.
  return { ...strip, data: strip.data as Uint8Array }
}

function hasShapeOf({ width, height }: Size, source: Size): boolean {
  const isNear = (length: number, exact: number) => Math.abs(length - exact) <= Math.max(1, SHAPE_TOLERANCE * exact)
  return isNear(width, (height * source.width) / source.height) || isNear(height, (width * source.height) / source.width)
}

function alphaRange({ data }: Raster): readonly [least: number, most: number] {
  let least = 255
  let most = 0
  for (let at = 3; at < data.length; at += 4) {
    const alpha = data[at] as number
    if (alpha < least) least = alpha
    if (alpha > most) most = alpha
  }
  return [least, most]
}

/** The original's pixels with the transparency of the service's smaller or larger picture. */
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
