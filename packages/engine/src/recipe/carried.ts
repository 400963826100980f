import { orientationOf } from '@pixelmill/codecs/exif'
import { type MapFiles, mapFor } from '@pixelmill/codecs/hdr/gain-map'
import { withMapItems } from '@pixelmill/codecs/hdr/write-isobmff'
import { describedMap, mapDescription, withMap } from '@pixelmill/codecs/hdr/write-jpeg'
import type { FormatName } from '@pixelmill/codecs/image-formats'
import type { MetadataBlocks } from '@pixelmill/codecs/metadata/blocks'
import { containers, readBlocks } from '@pixelmill/codecs/metadata/containers/index'
import {
  type Density,
  densityBytes,
  densityOf,
  exifWithDensity,
  isInHeader,
  withDensity,
} from '@pixelmill/codecs/metadata/density'
import { hasGainMap } from '@pixelmill/codecs/metadata/gain-maps'
import { withIptcElsewhere } from '@pixelmill/codecs/metadata/iptc-as-xmp'
import { keptBlocks } from '@pixelmill/codecs/metadata/policy'
import { packetOf, withDescription } from '@pixelmill/codecs/metadata/xmp'
import { isSideways } from '@pixelmill/codecs/pixels/rotate'
import { programs } from '@pixelmill/codecs/programs'
import type { Encoded } from '../image/encode.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'

/** What an output carries beside its pixels, of what its source has. */
export interface Carried {
  /** The blocks for a file whose pixels are to be turned by this EXIF orientation when they are shown. */
  metadata(orientation: number): MetadataBlocks
  readonly icc: Buffer | undefined
  readonly gainMap?: MapFiles | undefined
  /** Pixels an inch, of the picture as displayed; undefined where the source names none. */
  readonly density?: Density | undefined
  /** More of the source's EXIF is kept than who has rights. */
  readonly isDescribed?: boolean
  /** The map's values are written by ISO 21496-1 alone. */
  readonly compact?: true
}

/** Undefined where it carries nothing. */
export async function carriedBy(
  picture: Picture,
  { asked: { metadata: policy, hdr, maxBytes = Number.POSITIVE_INFINITY }, codec }: PlannedOutput,
): Promise<Carried | undefined> {
  const { source, header, icc, canvas, placements } = picture
  // A grey file cannot have the profile of colours.
  const profile = canvas.grey ? undefined : icc
  const isKept = hdr === 'keep' && !canvas.grey && hasGainMap(source, header.codec.name)
  const found = isKept ? await mapFor(picture, placements, canvas, codec.name) : undefined
  const gainMap = found && mapBytes(found, codec.name) <= maxBytes * MOST_OF_BYTES ? found : undefined
  const blocks = policy === 'none' ? undefined : readBlocks(source, header.codec.name)
  const density = keptDensity(picture)
  if (!blocks && !profile && !gainMap && !density) return undefined
  const metadata = (orientation: number) => (blocks && policy !== 'none' ? keptBlocks(blocks, policy, orientation) : {})
  return { icc: profile, metadata, gainMap, density, isDescribed: policy === 'all' || policy === 'all+gps' }
}

/** Pixels that are not square are others after a turn or a change of the size. */
function keptDensity({ source, header: { codec, orientation = 1 }, placements }: Picture): Density | undefined {
  const found = densityOf(source, codec.name)
  if (!found || found.x === found.y) return found
  if (placements.length > 0) return undefined
  return isSideways(orientation) ? { x: found.y, y: found.x } : found
}

/** A map that takes a larger share of `maxBytes` is dropped. */
const MOST_OF_BYTES = 0.25

/** The header of a segment, chunk or box, and of what is inside it. */
const OVERHEAD = 100

/** How many bytes are added to a file, or a few more. */
export function bytesOf(carried: Carried | undefined, format: FormatName): number {
  if (!carried) return 0
  const { icc, gainMap, density } = carried
  const inExif = format === 'tiff' || namesDensityInExif(carried, format)
  const blocks = Object.values<Buffer | undefined>({ ...blocksFor(carried, format, 1, inExif), icc })
  const map = gainMap ? mapBytes(gainMap, format) : 0
  return blocks.reduce((sum, block) => sum + (block ? block.length + OVERHEAD : 0), map + (density ? densityBytes(format) : 0))
}

/** The metadata in the blocks that the format has a place for. */
function blocksFor({ metadata, density }: Carried, format: FormatName, orientation: number, inExif: boolean): MetadataBlocks {
  const { iptc, xmp, exif: described } = metadata(orientation)
  const exif = density && inExif ? exifWithDensity(described, density) : described
  return containers[format]?.iptc ? { exif, xmp, iptc } : withIptcElsewhere({ exif, xmp, iptc })
}

const namesDensityInExif = ({ isDescribed = false }: Carried, format: FormatName): boolean => isDescribed && !isInHeader(format)

function mapBytes({ upright, values }: MapFiles, format: FormatName): number {
  if (format !== 'jpeg') return upright.length + 2 * OVERHEAD
  const map = describedMap(upright, values).length
  return map + packetOf(mapDescription(map)).length + 2 * OVERHEAD
}

/** With fewer bytes for the map: its values by one standard, then no map. */
export const withLessOfMap = (carried: Carried | undefined): readonly Carried[] =>
  carried?.gainMap
    ? [
        { ...carried, compact: true },
        { ...carried, gainMap: undefined },
      ]
    : []

/** A file of a result. */
export interface OutputFile extends Encoded {
  /** For a file that an external program finishes: what it gets afterwards. */
  readonly gainMap?: MapFiles
}

/** Adds it to a finished file. */
export function attach(encoded: Encoded, carried: Carried | undefined): OutputFile {
  if (!carried) return encoded
  const { codec, finish } = encoded
  if (!finish || !codec.finish) return { ...encoded, bytes: written(encoded, codec.name, carried) }
  const { otherwise } = finish
  const untouched = otherwise && written({ ...encoded, bytes: otherwise, untouched: true }, codec.name, carried)
  return {
    ...encoded,
    // A PNG that becomes HEIC, and a JPEG that becomes JPEG XL, carry it there.
    bytes: written(encoded, programs[codec.finish].reads, { ...carried, density: undefined }),
    finish: { ...finish, ...(untouched && { otherwise: untouched }) },
    ...(carried.gainMap && { gainMap: carried.gainMap }),
  }
}

function written({ bytes: encoded, width, height, untouched }: Encoded, format: FormatName, carried: Carried): Buffer {
  const container = containers[format]
  if (!container) return encoded
  const { icc, gainMap, compact, density } = carried
  const isItem = gainMap && (format === 'avif' || format === 'heic') && !untouched
  const bytes = isItem ? withMapItems(encoded, format, gainMap.upright, gainMap.values) : encoded
  // A file that was not encoded again has its orientation and its profile already.
  const there = readBlocks(bytes, format)
  const orientation = there.exif ? orientationOf(there.exif) : 1
  const inExif = format === 'tiff' ? !densityOf(bytes, format) : namesDensityInExif(carried, format)
  const blocks = blocksFor(carried, format, orientation, inExif)
  const map = orientation === 1 ? gainMap?.upright : gainMap?.stored
  const behind = gainMap && map && format === 'jpeg' ? describedMap(map, gainMap.values, !compact) : undefined
  const xmp = behind && !compact ? withDescription(blocks.xmp, mapDescription(behind.length)) : blocks.xmp
  const added = { ...blocks, xmp, ...(!there.icc && { icc }) }
  const isEmpty = Object.values(added).every((block) => block === undefined)
  const whole = isEmpty ? bytes : container.write(bytes, added, { width, height })
  const dense = density ? withDensity(whole, format, density) : whole
  return behind ? withMap(dense, behind) : dense
}
