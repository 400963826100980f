import type { Codec } from '../codec.ts'
import { isBehindPicture, type MapFiles, mapFor } from '../hdr/gain-map.ts'
import type { Placement } from '../hdr/placement.ts'
import { describedMap, mapDescription } from '../hdr/write-jpeg.ts'
import { isSideways } from '../pixels/rotate.ts'
import type { Size } from '../pixels/size.ts'
import type { Density, MetadataBlocks } from './blocks.ts'
import { densityOf, exifWithDensity } from './density.ts'
import { hasGainMap } from './gain-maps.ts'
import { withIptcElsewhere } from './iptc-as-xmp.ts'
import { type KeepingPolicy, keptBlocks } from './policy.ts'
import { readBlocks } from './read-blocks.ts'
import { packetOf } from './xmp.ts'

/** What a file carries beside its pixels, of what its source has. */
export interface Attachments {
  /** The blocks for a file whose pixels are to be turned by this EXIF orientation when they are shown. */
  metadata(orientation: number): MetadataBlocks
  readonly icc: Buffer | undefined
  readonly gainMap?: MapFiles | undefined
  /** Pixels an inch, of the picture as displayed; undefined where the source names none. */
  readonly density?: Density | undefined
  /** More of the source's EXIF is kept than who has rights. */
  readonly isDescribed: boolean
  /** How many bytes they add to a file, or a few more. */
  bytes(): number
}

/** A picture after its steps, and the file that it came from. */
interface EditedPicture {
  readonly source: Buffer
  readonly header: Size & { readonly codec: Codec; readonly orientation?: number }
  /** The profile of the pixels, where they are not in sRGB. */
  readonly icc?: Buffer
  readonly canvas: Size & { readonly grey: boolean }
  /** What the steps did to the places of the source's pixels, as displayed. */
  readonly placements: readonly Placement[]
}

/** What is asked to be kept. */
interface Wishes {
  readonly metadata: 'none' | KeepingPolicy
  readonly hdr: 'keep' | 'drop'
  /** Of the whole file. */
  readonly maxBytes?: number | undefined
}

/** Reads what a file of the codec carries of its source; undefined where that is nothing. */
export async function attachmentsFor(picture: EditedPicture, wishes: Wishes, codec: Codec): Promise<Attachments | undefined> {
  const { metadata: policy, hdr, maxBytes = Number.POSITIVE_INFINITY } = wishes
  const { source, header, canvas, placements } = picture
  // A grey file cannot have the profile of colours.
  const icc = canvas.grey ? undefined : picture.icc
  const mayHaveMap = hdr === 'keep' && !canvas.grey && hasGainMap(source, header.codec)
  const map = mayHaveMap ? await mapFor(picture, placements, canvas, codec) : undefined
  const gainMap = map && mapBytes(map, codec) <= maxBytes * MOST_OF_BYTES ? map : undefined
  const blocks = policy === 'none' ? undefined : readBlocks(source, header.codec)
  const density = densityAfter(picture)
  if (!blocks && !icc && !gainMap && !density) return undefined
  const metadata = (orientation: number) => (blocks && policy !== 'none' ? keptBlocks(blocks, policy, orientation) : {})
  const isDescribed = policy === 'all' || policy === 'all+gps'
  const parts = { icc, metadata, gainMap, density, isDescribed }
  return { ...parts, bytes: () => bytesOf(parts, codec) }
}

/** Pixels that are not square are others after a turn or a change of the size. */
function densityAfter({ source, header: { codec, orientation = 1 }, placements }: EditedPicture): Density | undefined {
  const density = densityOf(source, codec)
  if (!density || density.x === density.y) return density
  if (placements.length > 0) return undefined
  return isSideways(orientation) ? { x: density.y, y: density.x } : density
}

/** A map that takes a larger share of `maxBytes` is dropped. */
const MOST_OF_BYTES = 0.25

/** The header of a segment, chunk or box, and of what is inside it. */
const OVERHEAD = 100

type Parts = Omit<Attachments, 'bytes'>

function bytesOf(attachments: Parts, codec: Codec): number {
  const { icc, gainMap, density } = attachments
  const inExif = codec.density?.isExif === true || hasDensityInExif(attachments, codec)
  const blocks = Object.values<Buffer | undefined>({ ...blocksFor(attachments, codec, 1, inExif), icc })
  const ofMap = gainMap ? mapBytes(gainMap, codec) : 0
  const ofDensity = density ? (codec.density?.bytes ?? 0) : 0
  return blocks.reduce((sum, block) => sum + (block ? block.length + OVERHEAD : 0), ofMap + ofDensity)
}

/** The metadata in the blocks that the format has a place for. */
export function blocksFor(
  { metadata, density }: Parts,
  { container }: Codec,
  orientation: number,
  inExif: boolean,
): MetadataBlocks {
  const { iptc, xmp, exif: description } = metadata(orientation)
  const exif = density && inExif ? exifWithDensity(description, density) : description
  return container?.iptc ? { exif, xmp, iptc } : withIptcElsewhere({ exif, xmp, iptc })
}

/** Whether the density is written into EXIF, which is there anyway, since the format has no other place for it. */
export const hasDensityInExif = ({ isDescribed }: Parts, { density }: Codec): boolean =>
  isDescribed && density?.write === undefined

function mapBytes({ upright, values }: MapFiles, codec: Codec): number {
  if (!isBehindPicture(codec)) return upright.length + 2 * OVERHEAD
  const map = describedMap(upright, values).length
  return map + packetOf(mapDescription(map)).length + 2 * OVERHEAD
}
