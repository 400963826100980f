import type { Sharp } from 'sharp'
import type { Codec, Written } from '../codec.ts'
import { imageFormats } from '../image-formats.ts'
import { insideSize } from '../pixels/raster.ts'
import { resampleStrip } from '../pixels/resample-strip.ts'
import { pngOfSamples } from '../png-samples.ts'
import { DIRECTORY_BYTES, ENTRY_BYTES, ICON, isIcon, MOST_SIDE } from './layout.ts'
import { icoReader } from './reader.ts'

/** The sizes that browsers and Windows show in tabs, lists and on the desktop. */
const USUAL_SIDES = [48, 32, 16] as const

/** Icons: of the sizes in a file the largest is read; the picture and the usual smaller sizes are written, each as a PNG. */
export const ico: Codec = {
  ...imageFormats.ico,
  name: 'ico',
  alpha: true,
  animated: false,
  deep: false,
  maxSide: MOST_SIDE,
  matches: isIcon,
  reader: icoReader,
  encode,
  encodeExactly: encode,
  lossy: () => false,
  candidates: (pixels) => [() => encode(pixels.clone())],
  isMostlyFlat: true,
  cost: { decoding: 0.02, encoding: 0.3, optimizing: 0.3 },
}

interface IconPicture {
  readonly width: number
  readonly height: number
  readonly png: Buffer
}

async function encode(pixels: Sharp): Promise<Written> {
  const inColour = pixels.toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' })
  const { data, info } = await inColour.toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const whole = { data, width, height, channels: 4, frames: 1 } as const
  const pictures: IconPicture[] = [{ width, height, png: await pngOfSamples(whole, SMALL) }]
  for (const side of USUAL_SIDES) {
    if (side >= Math.max(width, height)) continue
    const size = insideSize(whole, side)
    const { data: samples } = resampleStrip(whole, size, { left: 0, top: 0, ...size })
    pictures.push({ ...size, png: await pngOfSamples({ ...size, channels: 4, data: samples as Uint8Array }, SMALL) })
  }
  return { bytes: iconOf(pictures), width, height }
}

/** zlib's best; icons are small. */
const SMALL = { level: 9 } as const
/** Red, green, blue and alpha: Windows reads no other PNGs in icons. */
const BITS = 32

function iconOf(pictures: readonly IconPicture[]): Buffer {
  const directory = Buffer.alloc(DIRECTORY_BYTES + ENTRY_BYTES * pictures.length)
  directory.writeUInt16LE(ICON, 2)
  directory.writeUInt16LE(pictures.length, 4)
  let at = directory.length
  for (const [index, { width, height, png }] of pictures.entries()) {
    const entry = DIRECTORY_BYTES + index * ENTRY_BYTES
    directory.writeUInt8(width % MOST_SIDE, entry)
    directory.writeUInt8(height % MOST_SIDE, entry + 1)
    directory.writeUInt16LE(1, entry + 4)
    directory.writeUInt16LE(BITS, entry + 6)
    directory.writeUInt32LE(png.length, entry + 8)
    directory.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([directory, ...pictures.map(({ png }) => png)])
}
