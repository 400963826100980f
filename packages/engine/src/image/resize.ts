import { enlarge, type Window } from '@pixelmill/codecs/pixels/enlarge'
import { type Image, untrustedOptions } from '@pixelmill/codecs/pixels/open'
import { isSideways } from '@pixelmill/codecs/pixels/rotate'
import { type Box, type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip, type Strip } from '@pixelmill/codecs/pixels/strip'
import type { Bitmap } from '@pixelmill/codecs/reader'
import { sRgbCoded, sRgbCurve } from '@pixelmill/codecs/rgb-space'
import { sharp } from '@pixelmill/codecs/sharp'
import type { Sharp } from 'sharp'

/**
 * When to shrink in linear light. libvips averages the gamma-coded samples: fast, and right where neighbours are alike.
 * Where they are not, light has to be averaged: black and white pixels side by side look like 188, not 128. The numbers
 * come from the table in docs/design/resizing.md.
 */
const linear = {
  /** Error of the fast way, in levels of 255, that is accepted where there is detail: photographs stay below, drawings and text do not. */
  visibleError: 8,
  /** Results up to this size are always made in linear light: there the error is largest, and the cost below five milliseconds. */
  thumbnailPixels: 30_000,
  /** A thumbnail's source is decoded at this multiple of its size, if decoding it in full would cost more. */
  decodedScale: 2,
} as const

/** Pictures with more pixels over all frames are left to libvips, which streams them: this many take 75 to 100 MB. */
const MEMORY_PIXELS = 25_000_000

/** A box, and the background where the picture does not fill it. */
export interface Frame extends Box {
  readonly background: string
}

/**
 * Scales the image, or each of its frames, into a box. All resizing goes through here.
 * @param from the size of one frame, if it was rotated since it was opened
 */
export async function resize(image: Image, box: Frame, from: Size = image.header): Promise<Sharp> {
  if (box.width === undefined && box.height === undefined) return image.pixels
  const to = scaledSize(from, box)
  if (to.width === from.width && to.height === from.height) return fitInto(image.pixels, box, to)
  const enlarges = to.width > from.width || to.height > from.height
  return enlarges ? enlargeTo(image, box, from, to) : shrunk(image, box, from, to)
}

const fitsInMemory = ({ frames }: Image, { width, height }: Size): boolean => width * height * frames <= MEMORY_PIXELS

async function shrunk(image: Image, box: Frame, from: Size, to: Size): Promise<Sharp> {
  const { source, pixels, frames, header } = image
  const thumbnail = to.width * to.height <= linear.thumbnailPixels
  const scale = Math.max(from.width / to.width, from.height / to.height)
  const whole = fitsInMemory(image, from) && !header.codec.reducesWhileDecoding?.(source)
  if (!thumbnail && (!whole || (await isPhotograph(image, scale)))) return fitInto(pixels, box, to)
  const decodedStrip = await readStrip(whole ? pixels : pixels.resize(decodedSize(from, to)), frames, header.deep)
  if (!thumbnail && gammaError(decodedStrip, scale) <= linear.visibleError) return fitInto(pipelineOf(decodedStrip), box, to)
  const shrinking = pipelineOf(decodedStrip)
    .pipelineColourspace('scrgb')
    .resize({ ...to, fit: 'fill' })
  // Cropped and padded in a second step: libvips takes a background to be in the colour space of the pipeline.
  return fitInto(pipelineOf(await readStrip(shrinking, frames, header.deep)), box, to)
}

/**
 * Both sides are given: from one, libvips calculates the other by what its decoder has reduced already, and so a JPEG's was a pixel
 * longer or shorter than planned.
 */
function fitInto(pixels: Sharp, box: Frame, to: Size): Sharp {
  const { width = to.width, height = to.height, fit, background } = box
  if (fit === 'cover') return pixels.resize({ width, height, fit })
  const scaling = pixels.resize({ ...to, fit: 'fill' })
  if (fit !== 'contain') return scaling
  const across = width - to.width
  const down = height - to.height
  const left = across >> 1
  const top = down >> 1
  return scaling.extend({ left, top, right: across - left, bottom: down - top, background })
}

/**
 * Whether the fast way is right for the whole picture, as its density tells before it is decoded. Libvips then streams it: held in
 * memory, a photograph of 2 megapixels would take 10 ms more.
 */
async function isPhotograph(image: Image, scale: number): Promise<boolean> {
  const { source, header } = image
  if (header.photograph === 'no' || !header.codec.decodesByRow?.(source)) return false
  return header.photograph === 'yes' || gammaError(await topRows(image), scale) <= linear.visibleError
}

/** A file is decoded from the top, so this part of its rows costs 2 ms of 20 for 2 megapixels. */
const TOP_SHARE = 1 / 16
const LEAST_ROWS = 32

/** The first rows as they are stored, to look at before all are decoded. */
function topRows({ source, header }: Image): Promise<Strip> {
  const { width, height } = isSideways(header.orientation ?? 1) ? { width: header.height, height: header.width } : header
  const rows = Math.min(height, Math.max(LEAST_ROWS, Math.floor(height * TOP_SHARE)))
  const top = sharp(source, { ...untrustedOptions, autoOrient: false }).extract({ left: 0, top: 0, width, height: rows })
  return readStrip(top, 1, header.deep)
}

const decodedSize = (from: Size, to: Size) =>
  ({
    width: Math.min(from.width, to.width * linear.decodedScale),
    height: Math.min(from.height, to.height * linear.decodedScale),
    fit: 'fill',
  }) as const

async function enlargeTo(image: Image, box: Frame, from: Size, to: Size): Promise<Sharp> {
  const { pixels, frames, header } = image
  const window = windowOf(box, to)
  if (!fitsInMemory(image, window) || !fitsInMemory(image, from)) return fitInto(pixels, box, to)
  // A box may enlarge one side and shrink the other; the shrinking is done first.
  const squeezedSize = { width: Math.min(from.width, to.width), height: Math.min(from.height, to.height), fit: 'fill' } as const
  const strip = await readStrip(pixels.resize(squeezedSize), frames, header.deep)
  return fitInto(pipelineOf(enlargeFrames(strip, to, window)), box, to)
}

/** The part that `cover` keeps: the middle, rounded as sharp does. */
function windowOf({ fit, width = 0, height = 0 }: Box, to: Size): Window {
  if (fit !== 'cover' || !width || !height) return { left: 0, top: 0, ...to }
  return { left: (to.width - width + 1) >> 1, top: (to.height - height + 1) >> 1, width, height }
}

/** Frame by frame, so that none bleeds into the next. */
function enlargeFrames(strip: Strip, to: Size, window: Window): Strip {
  const { width, channels, frames } = strip
  const height = strip.height / frames
  const before = width * height * channels
  const after = window.width * window.height * channels
  const data = new (strip.data.BYTES_PER_ELEMENT === 2 ? Uint16Array : Uint8Array)(after * frames)
  for (let frame = 0; frame < frames; frame++) {
    const one = { width, height, channels, data: strip.data.subarray(frame * before, (frame + 1) * before) }
    enlarge(one, to, window, data.subarray(frame * after, (frame + 1) * after))
  }
  return { width: window.width, height: window.height * frames, channels, data, frames }
}

/** Linear light of each 8-bit sRGB sample. */
const lightOf = Float64Array.from({ length: 256 }, (_, sample) => sRgbCurve(sample / 255))

/** What can be sampled in a millisecond. */
const MOST_BLOCKS = 4_096
const MOST_SAMPLES = 65_536
const LEAST_SIDE = 2
const MOST_SIDE = 16
/** Steps of the golden ratio spread the blocks evenly over the width, without a period that a pattern could share. */
const GOLDEN = (Math.sqrt(5) - 1) / 2
/** An error below half an 8-bit step means that a block has no detail. */
const FLAT = 0.5

/** Difference, in levels of 255, between a block's mean sample and the sample of its mean light; NaN if it is all transparent. */
function errorOfBlock({ data, width, channels }: Bitmap, left: number, top: number, side: number, channel: number): number {
  const shift = data.BYTES_PER_ELEMENT === 2 ? 8 : 0
  const alphaAt = channels === 4 ? 3 : -1
  let samples = 0
  let light = 0
  let weight = 0
  for (let y = top; y < top + side; y++) {
    for (let x = left; x < left + side; x++) {
      const at = (y * width + x) * channels
      const sample = (data[at + channel] as number) >> shift
      const alpha = alphaAt < 0 ? 1 : (data[at + alphaAt] as number)
      samples += alpha * sample
      light += alpha * (lightOf[sample] as number)
      weight += alpha
    }
  }
  return 255 * sRgbCoded(light / weight) - samples / weight
}

/**
 * The error of averaging gamma-coded samples instead of light, in levels of 255: the root mean square over sampled blocks
 * with detail, each as large as a pixel of the result.
 */
function gammaError(bitmap: Bitmap, scale: number): number {
  const { width, height, channels } = bitmap
  const side = Math.min(width, height, Math.max(LEAST_SIDE, Math.min(MOST_SIDE, Math.round(scale))))
  const blocks = Math.min(MOST_BLOCKS, MOST_SAMPLES / side ** 2)
  let sum = 0
  let count = 0
  for (let block = 0; block < blocks; block++) {
    const left = Math.floor(((block * GOLDEN) % 1) * (width - side + 1))
    const top = Math.floor(((block + 0.5) / blocks) * (height - side + 1))
    for (let channel = 0; channel < Math.min(channels, 3); channel++) {
      const error = errorOfBlock(bitmap, left, top, side, channel)
      if (!(Math.abs(error) >= FLAT)) continue
      sum += error * error
      count++
    }
  }
  return count ? Math.sqrt(sum / count) : 0
}
