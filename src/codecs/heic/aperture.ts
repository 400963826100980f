import type { Bitmap } from '../bitmap.ts'
import type { Box } from '../isobmff/boxes.ts'
import { primaryItemOf } from '../isobmff/primary-item.ts'

/** A part of a picture, in pixels. */
export interface Region {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** A file without its clean aperture, and the part that the aperture shows. */
export interface Uncropped {
  readonly file: Buffer
  readonly region: Region
}

/** What libheif adds to both sides of a picture before it holds the coded one for too large. */
const MARGIN = 64

/**
 * For a picture that shows much less than is coded (`clap`, ISO/IEC 14496-12, 12.1.4): libheif 1.23 takes the shown size for the
 * most that may be coded, and refuses it. Undefined for all others.
 */
export function uncropped(file: Buffer): Uncropped | undefined {
  const properties = primaryItemOf(file)?.properties ?? []
  const aperture = properties.find(({ type, body }) => type === 'clap' && body.length >= 32)
  const coded = properties.find(({ type, body }) => type === 'ispe' && body.length >= 12)?.body
  if (!aperture || !coded) return undefined
  const [width, height] = [coded.readUInt32BE(4), coded.readUInt32BE(8)]
  const { region, whole } = shownRegion(properties, { width, height })
  const isFar = width * height > (region.width + MARGIN) * (region.height + MARGIN)
  const isInside = region.left >= 0 && region.top >= 0 && region.width > 0 && region.height > 0
  if (!isFar || !isInside || region.left + region.width > whole.width || region.top + region.height > whole.height)
    return undefined
  const copy = Buffer.from(file)
  copy.write('free', aperture.body.byteOffset - file.byteOffset - 4, 'latin1')
  return { file: copy, region }
}

interface Size {
  readonly width: number
  readonly height: number
}

/** What is shown of the picture as it is turned and mirrored, in the order of its properties (ISO/IEC 23008-12, 6.5.10, 6.5.12). */
function shownRegion(properties: readonly Box[], coded: Size): { readonly region: Region; readonly whole: Size } {
  let region: Region = { left: 0, top: 0, ...coded }
  let whole = coded
  for (const { type, body } of properties) {
    const { left, top, width, height } = region
    if (type === 'clap' && body.length >= 32) region = regionOf(body, whole)
    if (type === 'imir') {
      const isUpsideDown = (body.readUInt8(0) & 1) === 0
      region = isUpsideDown ? { ...region, top: whole.height - top - height } : { ...region, left: whole.width - left - width }
    }
    if (type === 'irot')
      for (let quarters = body.readUInt8(0) & 3; quarters > 0; quarters--) {
        const { left, top, width, height } = region
        // Anticlockwise: the right edge becomes the upper one.
        region = { left: top, top: whole.width - left - width, width: height, height: width }
        whole = { width: whole.height, height: whole.width }
      }
  }
  return { region, whole }
}

function regionOf(body: Buffer, { width, height }: Size): Region {
  const fraction = (at: number) => body.readInt32BE(at) / (body.readInt32BE(at + 4) || 1)
  const size = { width: Math.floor(fraction(0)), height: Math.floor(fraction(8)) }
  const start = (offset: number, whole: number, shown: number) => Math.floor(offset + (whole - 1) / 2 - (shown - 1) / 2)
  return { left: start(fraction(16), width, size.width), top: start(fraction(24), height, size.height), ...size }
}

/** The region alone. */
export function cropped<Pixels extends Pick<Bitmap, 'width' | 'channels' | 'data'>>(
  pixels: Pixels,
  region: Region,
): Pixels & Region {
  const { width, channels, data } = pixels
  const out = data.slice(0, region.width * region.height * channels)
  for (let row = 0; row < region.height; row++) {
    const from = ((region.top + row) * width + region.left) * channels
    out.set(data.subarray(from, from + region.width * channels), row * region.width * channels)
  }
  return { ...pixels, ...region, data: out }
}
