import type { Image } from '@pixelmill/codecs/pixels/open'
import { release } from '@pixelmill/codecs/pixels/release'
import { resampleStrip } from '@pixelmill/codecs/pixels/resample-strip'
import { type Box, type Size, scaledSize } from '@pixelmill/codecs/pixels/size'
import { pipelineOf, readStrip, type Strip } from '@pixelmill/codecs/pixels/strip'
import type { Window } from '@pixelmill/kernels/resample'
import type { Sharp } from 'sharp'

/**
 * Photographs whose decoder reduces them by itself, JPEG and lossy WebP, are left to libvips, which averages stored samples: fast, and
 * right where neighbours are alike. Where they are not, light has to be averaged: black and white pixels side by side look like 188, not
 * 128. Of photographs that is seen in small results only, as docs/design/resizing.md shows.
 */
const thumbnail = {
  /** Results up to this size are made in linear light. */
  pixels: 30_000,
  /** Their source is decoded at this multiple of their size. */
  decodedScale: 2,
} as const

/** Pictures with more pixels over all frames are left to libvips, which streams them: this many take 75 to 100 MB. */
const MEMORY_PIXELS = 25_000_000

/** A box, and the background where the picture does not fill it. */
export interface Frame extends Box {
  readonly background: string
}

/**
 * Scales the image, or each of its frames, into a box: in linear light, by centred Lanczos-3. All resizing goes through here.
 * @param from the size of one frame, if it was rotated since it was opened
 */
export async function resize(image: Image, box: Frame, from: Size = image.header): Promise<Sharp> {
  const { pixels, source, header } = image
  if (box.width === undefined && box.height === undefined) return pixels
  const to = scaledSize(from, box)
  const isLarger = to.width > from.width || to.height > from.height
  const isSmaller = to.width < from.width || to.height < from.height
  const window = windowOf(box, to)
  if (!isLarger && !isSmaller) return fitInto(pixels, box, to)
  const isWhole = fitsInMemory(image, from) && fitsInMemory(image, window)
  if (isWhole && (isLarger || !header.codec.reducesWhileDecoding?.(source)))
    return resampleWhole(image.samples?.() ?? (await readWhole(image, pixels)), box, { to, window })
  if (isLarger || to.width * to.height > thumbnail.pixels) return fitInto(pixels, box, to)
  return resampleWhole(await readWhole(image, pixels.resize(decodedSize(from, to))), box, { to, window })
}

const fitsInMemory = ({ frames }: Image, { width, height }: Size): boolean => width * height * frames <= MEMORY_PIXELS

interface Target {
  /** Of the whole picture, before cover cuts it. */
  readonly to: Size
  /** The part that is kept. */
  readonly window: Window
}

const readWhole = ({ frames, header }: Image, pixels: Sharp): Promise<Strip> => readStrip(pixels, frames, header.deep)

function resampleWhole(whole: Strip, box: Frame, { to, window }: Target): Sharp {
  const strip = resampleStrip(whole, to, window)
  release(whole)
  return box.fit === 'contain' ? pad(pipelineOf(strip), box, to) : pipelineOf(strip)
}

/**
 * Both sides are given: from one, libvips calculates the other by what its decoder has reduced already, and so a JPEG's was a pixel
 * longer or shorter than planned.
 */
function fitInto(pixels: Sharp, box: Frame, to: Size): Sharp {
  const { width = to.width, height = to.height, fit } = box
  if (fit === 'cover') return pixels.resize({ width, height, fit })
  const scaling = pixels.resize({ ...to, fit: 'fill' })
  return fit === 'contain' ? pad(scaling, box, to) : scaling
}

/** Pads what was scaled to the size of the box. */
function pad(pixels: Sharp, { width = 0, height = 0, background }: Frame, to: Size): Sharp {
  const across = width - to.width
  const down = height - to.height
  const left = across >> 1
  const top = down >> 1
  return pixels.extend({ left, top, right: across - left, bottom: down - top, background })
}

const decodedSize = (from: Size, to: Size) =>
  ({
    width: Math.min(from.width, to.width * thumbnail.decodedScale),
    height: Math.min(from.height, to.height * thumbnail.decodedScale),
    fit: 'fill',
  }) as const

/** The part that `cover` keeps: the middle, rounded as sharp does. */
function windowOf({ fit, width = 0, height = 0 }: Box, to: Size): Window {
  if (fit !== 'cover' || !width || !height) return { left: 0, top: 0, ...to }
  return { left: (to.width - width + 1) >> 1, top: (to.height - height + 1) >> 1, width, height }
}
