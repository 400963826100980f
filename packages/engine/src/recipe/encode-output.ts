import { ApiError } from '@pixelmill/codecs/contract/api-error'
import { limits } from '@pixelmill/codecs/contract/limits'
import { withoutMapItems } from '@pixelmill/codecs/hdr/write-isobmff'
import { iccName } from '@pixelmill/codecs/icc-name'
import { stripJpeg } from '@pixelmill/codecs/jpeg-segments'
import { jxlPacked } from '@pixelmill/codecs/jxl/index'
import { readBlocks } from '@pixelmill/codecs/metadata/containers/index'
import { densityBytes, densityOf } from '@pixelmill/codecs/metadata/density'
import { codedHdr, hasGainMap } from '@pixelmill/codecs/metadata/gain-maps'
import type { Colours } from '@pixelmill/codecs/pixels/open'
import { type Edited, type Encoded, encode, prepare, settingsFor } from '../image/encode.ts'
import { smallest } from '../image/smallest.ts'
import { encodeToBest } from '../image/to-best.ts'
import { encodeToTarget, type Target } from '../image/to-target.ts'
import { attach, bytesOf, type Carried, carriedBy, type OutputFile, withLessOfMap } from './carried.ts'
import { hasTarget } from './fields.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'
import { featuresAfter } from './source-features.ts'

/** Writes an output, and what it carries of its source. */
export async function encodeOutput(picture: Picture, output: PlannedOutput): Promise<OutputFile> {
  const carried = await carriedBy(picture, output)
  const beside = output.asked.maxBytes === undefined ? 0 : bytesOf(carried, output.codec.name)
  const encoded = await encodePixels(picture, { ...output, asked: { ...output.asked, beside } }, carried).catch((error) => {
    if (!(error instanceof ApiError) || error.code !== 'cannot_fit' || !carried?.gainMap) throw error
    return undefined
  })
  // Bytes are asked for, a map is not.
  if (!encoded) return encodeOutput(picture, { ...output, asked: { ...output.asked, hdr: 'drop' } })
  let [kept, attached] = [carried, attach(encoded, carried)]
  // The source may have taken fewer bytes to say what its map means.
  for (const less of output.asked.optimize && !encoded.finish ? withLessOfMap(carried) : []) {
    if (attached.bytes.length <= picture.source.length) break
    ;[kept, attached] = [less, attach(encoded, less)]
  }
  const original = { bytes: picture.source, codec: picture.header.codec }
  return { ...attached, ...featuresAfter(original, attached, kept?.gainMap !== undefined) }
}

interface Asked extends PlannedOutput {
  readonly asked: PlannedOutput['asked'] & Pick<Target, 'beside'>
}

/** With its quality, to its target, or as small as looks alike. */
function encodePixels(picture: Picture, output: Asked, carried: Carried | undefined): Promise<Encoded> {
  const { asked, codec, choices, keepDepth } = output
  const { pixels, frames, header, canvas } = picture
  const edited = {
    ...canvas,
    pixels,
    codec,
    quality: asked.quality,
    frames,
    header,
    keepDepth,
    icc: canvas.grey ? undefined : picture.icc,
  }
  // cjxl takes no JPEG without its end.
  if (output.packs && hasKeptColours(picture.source, asked.icc)) return packed(header.completed ?? picture.source, edited)
  if (asked.format === 'best') return encodeToBest(edited, choices, asked)
  if (asked.optimize) return optimized(picture, edited, asked, carried)
  return hasTarget(asked) ? encodeToTarget(edited, asked) : encode(edited)
}

/** A JPEG with another profile than sRGB's is converted, unless it may keep it. */
function hasKeptColours(jpeg: Buffer, colours: Colours): boolean {
  const { icc } = readBlocks(jpeg, 'jpeg')
  return !icc || colours === 'keep' || (iccName(icc) ?? '').startsWith('sRGB')
}

/** The JPEG without metadata, for cjxl. */
async function packed(source: Buffer, edited: Edited): Promise<Encoded> {
  // Finds a damaged file.
  await prepare(edited).raw().toBuffer()
  const { width, height } = edited
  return { bytes: stripJpeg(source), codec: jxlPacked, width, height, reversible: 'jpeg', finish: { quality: undefined } }
}

/** Never larger than the input: if no encoding is smaller, the input is returned with unchanged pixels. */
async function optimized(
  { source, header, frames }: Picture,
  edited: Edited,
  asked: Asked['asked'],
  carried: Carried | undefined,
): Promise<Encoded> {
  const { quality = limits.quality.default } = asked
  const { codec, width, height } = edited
  const { grey, alpha, deep, delay, codec: own } = header
  const stripped = own.strip?.(source) ?? source
  const bytes = asked.hdr === 'drop' ? withoutMapItems(stripped, own.name) : stripped
  const untouched: Encoded = { bytes, codec: own, width, height, untouched: true }
  // A JPEG's map is behind it, and stripped.
  const mapBytes = carried?.gainMap && hasGainMap(bytes, own.name) ? carried.gainMap.upright.length : 0
  const beside = mapBytes + (carried?.density ? densityBytes(own.name) : 0)
  if (asked.hdr === 'keep' && codedHdr(bytes, own)) return withItsLight(edited, asked, untouched)
  if (hasTarget(asked)) return smallerToTarget(edited, asked, untouched)
  const pixels = prepare(edited)
  const attempts = codec.candidates(pixels, {
    ...settingsFor({ ...edited, quality }),
    quality,
    plain: !alpha && !deep,
    deep: deep && codec.deep,
    source: own.name === codec.name ? untouched : undefined,
  })
  if (codec.finish) {
    const [attempt] = attempts
    const interim = typeof attempt === 'function' ? await attempt(bytes.length - beside) : undefined
    return interim ? { ...interim, codec, finish: { quality, otherwise: bytes } } : untouched
  }
  const judged = { pixels, codec, quality, grey, alpha: alpha && codec.alpha, frames, delay, beside }
  return smallest(untouched, attempts, judged)
}

/** Pixels in HDR, which no encoder here writes, as they came: an SDR picture would be another one, however small. */
async function withItsLight(edited: Edited, asked: Asked['asked'], untouched: Encoded): Promise<Encoded> {
  const { maxBytes, beside = 0 } = asked
  // Finds a damaged file.
  await prepare(edited).raw().toBuffer()
  const { bytes, codec } = untouched
  // The file names its density already.
  const present = densityOf(bytes, codec.name) ? densityBytes(codec.name) : 0
  const smallestBytes = bytes.length + Math.max(0, beside - present)
  if (maxBytes === undefined || smallestBytes <= maxBytes) return hasTarget(asked) ? { ...untouched, score: 100 } : untouched
  const message = `The picture is HDR and takes ${smallestBytes} bytes as it is; allow that many, or send hdr=drop.`
  throw new ApiError('cannot_fit', { message, facts: { smallestBytes } })
}

/** What `convert` would send, unless the file as it came is smaller or, with nothing but bytes asked for, fits. */
async function smallerToTarget(edited: Edited, target: Asked['asked'], untouched: Encoded): Promise<Encoded> {
  const { visualQuality, maxBytes = Number.POSITIVE_INFINITY, quality, beside = 0 } = target
  const asItCame = { ...untouched, score: 100 }
  const fits = untouched.bytes.length + beside <= maxBytes
  if (fits && visualQuality === undefined && quality === undefined) {
    // Finds a damaged file.
    await prepare(edited).raw().toBuffer()
    return asItCame
  }
  const found = await encodeToTarget(edited, target)
  return fits && untouched.bytes.length <= found.bytes.length ? asItCame : found
}
