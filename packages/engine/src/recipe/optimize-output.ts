import { ImageError } from '@pixelmill/codecs/contract/image-errors'
import { limits } from '@pixelmill/codecs/contract/limits'
import type { Attachments } from '@pixelmill/codecs/metadata/attachments'
import { type BareFile, bareFileOf } from '@pixelmill/codecs/metadata/bare-file'
import { decodeToMemory } from '@pixelmill/codecs/pixels/decoded-image'
import type { Sharp } from 'sharp'
import type { Encoded, EncodeJob } from '../image/encode.ts'
import { smallest } from '../image/smallest.ts'
import { encodeToTarget, type Target } from '../image/to-target.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'

type Goal = Target & { readonly isSearched: boolean }

/**
 * The smallest file that looks alike. It is never larger than the input: if no encoding is smaller, the input is returned with unchanged
 * pixels.
 */
export async function optimizeOutput(
  picture: Picture,
  job: EncodeJob,
  { asked, isSearched }: PlannedOutput,
  attachments: Attachments | undefined,
  beside: number,
): Promise<Encoded> {
  const { source, header, frames } = picture
  const { codec, width, height, quality = limits.quality.default } = job
  const own = bareFileOf(source, header.codec, asked.hdr, attachments)
  const ownFile: Encoded = { bytes: own.bytes, codec: header.codec, width, height, untouched: true }
  const goal = { ...asked, beside, isSearched }
  if (own.isHdr) return asItCameInHdr(job, goal, own, ownFile)
  if (isSearched) return smallerToTarget(job.pixels, goal, ownFile, () => encodeToTarget(job, goal))
  const { grey, alpha, deep, delay } = header
  const pixels = await pixelsToTry(job)
  const attempts = codec.candidates(pixels, {
    ...job.settings,
    quality,
    plain: !alpha && !deep,
    deep: deep && codec.deep,
    source: header.codec.name === codec.name ? ownFile : undefined,
  })
  if (codec.finish) {
    const [attempt] = attempts
    const interim = typeof attempt === 'function' ? await attempt(own.bytes.length - own.besideBytes) : undefined
    return interim ? { ...interim, codec, finish: { quality, otherwise: own.bytes } } : ownFile
  }
  const reference = { pixels, codec, quality, grey, alpha: alpha && codec.alpha, frames, delay }
  return smallest(ownFile, attempts, { ...reference, beside: own.besideBytes })
}

/** Larger pictures are decoded for each encoding, which takes less memory. */
const MEGAPIXELS_IN_MEMORY = 8

/** A still in colour of 8 bits a channel is decoded once for all encodings. libtiff has to know that grey had one bit. */
async function pixelsToTry({ pixels, frames, header, settings }: EncodeJob): Promise<Sharp> {
  if (frames > 1 || header.deep || header.grey || settings.megapixels > MEGAPIXELS_IN_MEMORY) return pixels
  const decodedImage = await decodeToMemory(pixels.clone(), { frames, header })
  return decodedImage.pixels()
}

/** Pixels in HDR, which no encoder here writes, as they came: an SDR picture would be another one, however small. */
async function asItCameInHdr(job: EncodeJob, goal: Goal, own: BareFile, ownFile: Encoded): Promise<Encoded> {
  const { maxBytes, beside = 0, isSearched } = goal
  await ensureSound(job.pixels)
  // The file names its density already.
  const smallestBytes = own.bytes.length + Math.max(0, beside - own.densityBytes)
  if (maxBytes === undefined || smallestBytes <= maxBytes) return isSearched ? { ...ownFile, score: 100 } : ownFile
  const message = `The picture is HDR and takes ${smallestBytes} bytes as it is; allow that many, or send hdr=drop.`
  throw new ImageError('cannot_fit', { message, facts: { smallestBytes } })
}

/**
 * What an encoder writes for a target, unless the file as it came is smaller or, lossy and with nothing but bytes asked for, fits.
 * @param ownFile undefined where it cannot be the answer
 * @throws ImageError cannot_fit
 */
export async function smallerToTarget(
  pixels: Sharp,
  target: Target,
  ownFile: Encoded | undefined,
  encode: () => Promise<Encoded>,
): Promise<Encoded> {
  if (!ownFile) return encode()
  const { visualQuality, maxBytes = Number.POSITIVE_INFINITY, quality, beside = 0 } = target
  const asItCame = { ...ownFile, score: 100 }
  const fits = ownFile.bytes.length + beside <= maxBytes
  const isLossy = ownFile.codec.levels?.scores !== undefined
  if (fits && isLossy && visualQuality === undefined && quality === undefined) {
    await ensureSound(pixels)
    return asItCame
  }
  const file = await encode()
  return fits && ownFile.bytes.length <= file.bytes.length ? asItCame : file
}

/** Decodes the picture, which finds a damaged file. */
async function ensureSound(pixels: Sharp): Promise<void> {
  await pixels.raw().toBuffer()
}
