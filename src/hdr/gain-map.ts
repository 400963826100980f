import type { Codec } from '../codecs/codec.ts'
import { codecs } from '../codecs/index.ts'
import { stripJpeg } from '../codecs/jpeg-segments.ts'
import { limits } from '../contract/limits.ts'
import { untrusted } from '../image/open.ts'
import type { Raster } from '../image/raster.ts'
import { oriented } from '../image/rotate.ts'
import { sharp } from '../image/sharp.ts'
import type { Size } from '../image/size.ts'
import { pipelineOf } from '../image/strip.ts'
import { packetOf } from '../metadata/xmp.ts'
import { appleSample, appleValues } from './apple.ts'
import { mapInJpeg } from './in-jpeg.ts'
import { type Map8, movedMap } from './move-map.ts'
import type { Placement } from './placement.ts'
import type { GainMapValues } from './values.ts'
import { describedMap } from './write-jpeg.ts'

/** The picture that a map belongs to. */
interface Source {
  readonly source: Buffer
  readonly header: Size & { readonly codec: Codec; readonly orientation?: number }
}

/** The maps for files of a result: one whose pixels are upright, and one that is stored and turned as the source. */
export interface MapFiles {
  readonly upright: Buffer
  readonly stored: Buffer
}

/**
 * The gain map of a source, moved with its picture; undefined where the source has none that can be kept: damaged ones, and those of HDR
 * pictures.
 * @param result size of the picture after the steps
 */
export async function mapFor(
  { source, header }: Source,
  placements: readonly Placement[],
  result: Size,
): Promise<MapFiles | undefined> {
  const found = header.codec === codecs.jpeg ? await storedMap(source) : undefined
  if (!found) return undefined
  const { map, jpeg } = found
  const stored = jpeg ? described(stripJpeg(jpeg), map.values) : described(await encoded(map), map.values)
  const { orientation = 1 } = header
  if (orientation === 1 && placements.length === 0) return { upright: stored, stored }
  const moved = await movedMap(await turned(map, orientation), header, placements, result)
  return { upright: described(await encoded(moved), moved.values), stored }
}

const described = (jpeg: Buffer, values: GainMapValues): Buffer => describedMap(jpeg, values, packetOf)

/** With the JPEG that it was decoded from, unless its samples were converted. */
async function storedMap(source: Buffer): Promise<{ readonly map: Map8; readonly jpeg?: Buffer } | undefined> {
  const found = mapInJpeg(source)
  if (!found || ('baseIsHdr' in found.values && found.values.baseIsHdr)) return undefined
  try {
    const raster = await decoded(found.jpeg)
    if ('appleStops' in found.values) return { map: fromApple(raster, found.values.appleStops) }
    return { map: { ...raster, values: found.values }, jpeg: found.jpeg }
  } catch {
    // A damaged map: the picture is right without it, and the answer says that it was dropped.
    return undefined
  }
}

async function decoded(jpeg: Buffer): Promise<Raster> {
  const pixels = sharp(jpeg, { ...untrusted, autoOrient: false, ignoreIcc: true, limitInputPixels: limits.pixels })
  const { space } = await pixels.metadata()
  const { data, info } = await pixels
    .toColourspace(space === 'b-w' ? 'b-w' : 'srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels }
}

function fromApple(raster: Raster, stops: number): Map8 {
  const table = Uint8Array.from({ length: 256 }, (_, sample) => Math.round(255 * appleSample(sample / 255, stops)))
  return { ...raster, data: raster.data.map((sample) => table[sample] as number), values: appleValues(stops) }
}

const pipeline = ({ data, width, height, channels }: Raster) =>
  pipelineOf({ data, width, height, channels: channels === 1 ? 1 : 3, frames: 1 })

async function turned(map: Map8, orientation: number): Promise<Map8> {
  if (orientation === 1) return map
  const { data, info } = await oriented(pipeline(map), orientation)
    .toColourspace(map.channels === 1 ? 'b-w' : 'srgb')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { data, width: info.width, height: info.height, channels: info.channels, values: map.values }
}

/** Errors of the map are multiplied by all its stops. */
const QUALITY = 90

const encoded = (map: Raster): Promise<Buffer> =>
  pipeline(map)
    .toColourspace(map.channels === 1 ? 'b-w' : 'srgb')
    .jpeg({ quality: QUALITY, chromaSubsampling: '4:4:4' })
    .toBuffer()
