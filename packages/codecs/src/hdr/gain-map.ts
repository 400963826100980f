import type { Codec } from '../codec.ts'
import { codecs } from '../index.ts'
import { stripJpeg } from '../jpeg-segments.ts'
import { unlessDamaged } from '../metadata/damage.ts'
import { readHeader } from '../pixels/header.ts'
import { forOneFrame, openImage, untrustedOptions } from '../pixels/open.ts'
import type { Raster } from '../pixels/raster.ts'
import { orientFrame } from '../pixels/rotate.ts'
import type { Size } from '../pixels/size.ts'
import { pipelineOf } from '../pixels/strip.ts'
import { sharp } from '../sharp.ts'
import { appleSample, appleValues } from './apple.ts'
import { type Map8, movedMap } from './move-map.ts'
import type { Placement } from './placement.ts'
import type { GainMapPlace, GainMapValues, StoredMap } from './values.ts'

/** The picture that a map belongs to. */
interface Source {
  readonly source: Buffer
  readonly header: Size & { readonly codec: Codec; readonly orientation?: number }
}

/** A map as files in the format of a result, without its values: one whose pixels are upright, and one that is stored as the source. */
export interface MapFiles {
  readonly values: GainMapValues
  readonly upright: Buffer
  readonly stored: Buffer
}

/** The gain map of a file; undefined where it has none, or a damaged one. */
export const findMap = (file: Buffer, { gainMap }: Pick<Codec, 'gainMap'>): StoredMap | undefined =>
  unlessDamaged(() => gainMap?.find(file), undefined)

/**
 * The gain map of a source, moved with its picture; undefined where the source has none that can be kept: damaged ones, and those of HDR
 * pictures.
 * @param result size of the picture after the steps
 */
export async function mapFor(
  { source, header }: Source,
  placements: readonly Placement[],
  result: Size,
  target: Pick<Codec, 'gainMap'>,
): Promise<MapFiles | undefined> {
  const storedMap = target.gainMap && findMap(source, header.codec)
  const map = storedMap && (await decodedMap(storedMap, header))
  if (!target.gainMap || !map) return undefined
  const { values } = map
  const write = (writtenMap: Map8): Promise<Buffer> => (target.gainMap as GainMapPlace).write(pipeline(writtenMap))
  const isFromJpeg = isBehindPicture(header.codec)
  const staysJpeg = isFromJpeg && isBehindPicture(target)
  const copy = staysJpeg && values === storedMap.values ? stripJpeg(storedMap.picture) : undefined
  // Maps in HEIC and AVIF have turns of their own, which decoding applies.
  const orientation = isFromJpeg ? (header.orientation ?? 1) : 1
  if (orientation === 1 && placements.length === 0) {
    const file = copy ?? (await write(map))
    return { values, upright: file, stored: file }
  }
  const upright = await write(await movedMap(await turnMap(map, orientation), header, placements, result))
  return { values, upright, stored: copy ?? (staysJpeg ? await write(map) : upright) }
}

/**
 * Undefined for the map of an HDR picture, whose result is SDR, and for one that is damaged or far too large: the answer says that it
 * was dropped.
 */
async function decodedMap({ picture, values }: StoredMap, { width, height }: Size): Promise<Map8 | undefined> {
  if ('baseIsHdr' in values && values.baseIsHdr) return undefined
  const most = Math.max(LEAST_LIMIT, MOST_TIMES * width * height)
  const raster = await decodeMap(picture, most).catch(() => undefined)
  if (!raster) return undefined
  return 'appleStops' in values ? fromApple(raster, values.appleStops) : { ...raster, values }
}

/** Pixels of a map for one of its picture, and those that any map may have. Most have a quarter or less, and few have more. */
const MOST_TIMES = 2
const LEAST_LIMIT = 1_000_000

/** @throws Error if it has more pixels, or cannot be decoded */
async function decodeMap(picture: Buffer, most: number): Promise<Raster> {
  const { pixels, grey } = codecs.jpeg.matches(picture) ? await asStored(picture, most) : await openMap(picture, most)
  const { data, info } = await pixels
    .toColourspace(grey ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

/** Samples are no colours: profiles are ignored. */
async function asStored(jpeg: Buffer, most: number) {
  const pixels = sharp(jpeg, { ...untrustedOptions, autoOrient: false, ignoreIcc: true, limitInputPixels: most })
  return { pixels, grey: (await pixels.metadata()).space === 'b-w' }
}

async function openMap(file: Buffer, most: number) {
  const header = await readHeader(file)
  if (header.width * header.height > most) throw new Error('a gain map is much larger than its picture')
  const { pixels } = await openImage(file, header, forOneFrame)
  return { pixels: pixels.removeAlpha(), grey: header.grey }
}

function fromApple(raster: Raster, stops: number): Map8 {
  const table = Uint8Array.from({ length: 256 }, (_, sample) => Math.round(255 * appleSample(sample / 255, stops)))
  return { ...raster, data: raster.data.map((sample) => table[sample] as number), values: appleValues(stops, raster.channels) }
}

const pipeline = ({ data, width, height, channels }: Raster) =>
  pipelineOf({ data, width, height, channels: channels === 1 ? 1 : 3, frames: 1 }).toColourspace(channels === 1 ? 'b-w' : 'srgb')

async function turnMap(map: Map8, orientation: number): Promise<Map8> {
  if (orientation === 1) return map
  const { data, info } = await orientFrame(pipeline(map), orientation).raw().toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels, values: map.values }
}

/** Whether a format has the map behind its picture, as JPEG has, where EXIF turns both. */
export const isBehindPicture = ({ gainMap }: Pick<Codec, 'gainMap'>): boolean =>
  gainMap !== undefined && gainMap.brands === undefined
