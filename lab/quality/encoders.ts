import { aomScale, avif } from '@pixelmill/codecs/avif'
import type { Codec } from '@pixelmill/codecs/codec'
import { heic } from '@pixelmill/codecs/heic/index'
import { x265Scale } from '@pixelmill/codecs/heic/writers'
import { jpeg } from '@pixelmill/codecs/jpeg'
import { fromBitmap } from '@pixelmill/codecs/pixels/from-bitmap'
import type { QualityScale } from '@pixelmill/codecs/scales'
import { webp, webpScale } from '@pixelmill/codecs/webp'
import sharp, { type Sharp } from 'sharp'
import { heifEnc } from '../heic/heif-enc.ts'
import { type Photograph, rasterOf } from './photographs.ts'

export interface Encoder {
  readonly name: string
  readonly encode: (pixels: Sharp, quality: number, megapixels: number) => Promise<Buffer>
  readonly decode: (bytes: Buffer) => Promise<Sharp>
  /** It has one quality. */
  readonly fixed?: true
  /** The encoder's own setting for each quality, if it has one. */
  readonly scale?: QualityScale
}

const decode = async (bytes: Buffer): Promise<Sharp> => sharp(bytes)

async function decodeHeic(bytes: Buffer): Promise<Sharp> {
  if (!heic.reader) throw new Error('HEIC is read by a reader of its own')
  return fromBitmap(await heic.reader.decode(bytes))
}

/** The service encodes so. */
const by =
  ({ encode }: Codec): Encoder['encode'] =>
  async (pixels, quality, megapixels) =>
    (await encode(pixels, { quality, megapixels, animation: undefined })).bytes

export const encoders: readonly Encoder[] = [
  { name: 'JPEG', encode: by(jpeg), decode },
  { name: 'WebP', encode: by(webp), decode, scale: webpScale },
  { name: 'AVIF', encode: by(avif), decode, scale: aomScale },
  {
    name: 'HEIC by heif-enc',
    encode: async (pixels, quality) => heifEnc(await pixels.png({ compressionLevel: 1 }).toBuffer(), quality).done,
    decode: decodeHeic,
    scale: x265Scale,
  },
  { name: 'HEIC by elheif', encode: by(heic), decode: decodeHeic, fixed: true },
]

/** The result of one encoding. */
export interface Result {
  readonly score: number
  readonly bytes: number
}

export const megapixelsOf = ({ width, height }: Photograph): number => (width * height) / 1e6

export async function resultOf(photograph: Photograph, { encode, decode }: Encoder, quality: number): Promise<Result> {
  const { data, width, height, channels, judge } = photograph
  const bytes = await encode(sharp(data, { raw: { width, height, channels } }), quality, megapixelsOf(photograph))
  return { score: judge.score([await rasterOf(await decode(bytes))]), bytes: bytes.length }
}
