import sharp from 'sharp'
import { aomScale, avif } from '../../src/codecs/avif.ts'
import type { Codec } from '../../src/codecs/codec.ts'
import { heic } from '../../src/codecs/heic/index.ts'
import { x265Scale } from '../../src/codecs/heic/writers.ts'
import { jpeg } from '../../src/codecs/jpeg.ts'
import type { QualityScale } from '../../src/codecs/scales.ts'
import { webp } from '../../src/codecs/webp.ts'
import { fromBitmap } from '../../src/image/from-bitmap.ts'
import { heifEnc } from '../heic/heif-enc.ts'
import type { RoundTrip, Seen } from './likeness.ts'
import type { Photograph } from './photographs.ts'

const seen = (bytes: Buffer): Seen => ({ bytes: bytes.length, image: sharp(bytes) })
const megapixels = ({ width, height }: Photograph): number => (width * height) / 1e6

async function seenHeic(bytes: Buffer): Promise<Seen> {
  if (!heic.reader) throw new Error('HEIC is read by a reader of ours')
  return { bytes: bytes.length, image: await fromBitmap(await heic.reader.decode(bytes)) }
}

/** The output of one of the service's codecs at a quality. */
const asServed =
  (codec: Codec) =>
  (quality: number): RoundTrip =>
  async (pixels, photograph) => {
    const { bytes } = await codec.encode(pixels, { quality, megapixels: megapixels(photograph), animation: undefined })
    return codec.reader ? seenHeic(bytes) : seen(bytes)
  }

export interface Encoder {
  readonly name: string
  readonly at: (quality: number) => RoundTrip
  /** The encoder's own setting for each quality, if it has one. */
  readonly scale?: QualityScale
}

const byHeifEnc =
  (quality: number): RoundTrip =>
  async (pixels) =>
    seenHeic(await heifEnc(await pixels.png({ compressionLevel: 1 }).toBuffer(), quality).done)

/** JPEG inside, as optimize tries it. */
const tiffWithJpeg =
  (quality: number): RoundTrip =>
  async (pixels) =>
    seen(await pixels.tiff({ compression: 'jpeg', quality }).toBuffer())

/** Formats whose own settings define the scale. */
export const references: readonly Encoder[] = [
  { name: 'JPEG', at: asServed(jpeg) },
  { name: 'WebP', at: asServed(webp) },
]

/** All other encoders, which are placed between the references. */
export const scaled: readonly Encoder[] = [
  { name: 'AVIF', at: asServed(avif), scale: aomScale },
  { name: 'HEIC by heif-enc', at: byHeifEnc, scale: x265Scale },
  { name: 'HEIC by elheif', at: asServed(heic) },
  { name: 'TIFF', at: tiffWithJpeg },
]
