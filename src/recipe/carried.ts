import { orientationOf } from '../codecs/exif.ts'
import { type MapFiles, mapFor } from '../hdr/gain-map.ts'
import { withMapItems } from '../hdr/write-isobmff.ts'
import { mapDescription, withMap } from '../hdr/write-jpeg.ts'
import type { Encoded } from '../image/encode.ts'
import type { MetadataBlocks } from '../metadata/blocks.ts'
import { containers, readBlocks } from '../metadata/containers/index.ts'
import { hasGainMap } from '../metadata/gain-maps.ts'
import { keptBlocks, xmpWithIptc } from '../metadata/policy.ts'
import { withDescription } from '../metadata/xmp.ts'
import type { FormatName } from '../web/image-formats.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'

/** What an output carries beside its pixels, of what its source has. */
export interface Carried {
  /** The blocks for a file whose pixels are to be turned by this EXIF orientation when they are shown. */
  metadata(orientation: number): MetadataBlocks
  readonly icc: Buffer | undefined
  readonly gainMap?: MapFiles | undefined
}

/** Undefined where it carries nothing, as by default. */
export async function carriedBy(
  picture: Picture,
  { asked: { metadata: policy, hdr, maxBytes = Number.POSITIVE_INFINITY }, codec }: PlannedOutput,
): Promise<Carried | undefined> {
  const { source, header, icc, canvas, placements } = picture
  // A grey file cannot have the profile of colours.
  const profile = canvas.grey ? undefined : icc
  const isKept = hdr === 'keep' && !canvas.grey && hasGainMap(source, header.codec.name)
  const found = isKept ? await mapFor(picture, placements, canvas, codec.name) : undefined
  const gainMap = found && found.upright.length <= maxBytes * MOST_OF_BYTES ? found : undefined
  const blocks = policy === 'none' ? undefined : readBlocks(source, header.codec.name)
  if (!blocks && !profile && !gainMap) return undefined
  const metadata = (orientation: number) => (blocks && policy !== 'none' ? keptBlocks(blocks, policy, orientation) : {})
  return { icc: profile, metadata, gainMap }
}

/** A map that would leave fewer bytes to the picture is dropped. */
const MOST_OF_BYTES = 0.5

/** The header of a segment, chunk or box, and of what is inside it. */
const OVERHEAD = 100

/** About how many bytes are added to a file. */
export const bytesOf = (carried: Carried | undefined): number =>
  Object.values<Buffer | undefined>({ ...carried?.metadata(1), icc: carried?.icc, map: carried?.gainMap?.upright }).reduce(
    (sum, block) => sum + (block ? block.length + OVERHEAD : 0),
    0,
  )

/** Adds it to a finished file. */
export function attach(encoded: Encoded, carried: Carried | undefined): Encoded {
  if (!carried) return encoded
  const { codec, finish } = encoded
  // A PNG that becomes HEIC carries it there.
  const bytes = written(encoded, finish ? 'png' : codec.name, carried)
  if (!finish?.otherwise) return { ...encoded, bytes }
  return {
    ...encoded,
    bytes,
    finish: { ...finish, otherwise: written({ ...encoded, bytes: finish.otherwise }, codec.name, carried) },
  }
}

function written({ bytes: encoded, width, height, untouched }: Encoded, format: FormatName, carried: Carried): Buffer {
  const container = containers[format]
  if (!container) return encoded
  const { metadata, icc, gainMap } = carried
  const isItem = gainMap && (format === 'avif' || format === 'heic') && !untouched
  const bytes = isItem ? withMapItems(encoded, format, gainMap.upright, gainMap.values, { width, height }) : encoded
  // A file that was not encoded again has its orientation and its profile already.
  const there = readBlocks(bytes, format)
  const orientation = there.exif ? orientationOf(there.exif) : 1
  const { iptc, xmp, exif } = metadata(orientation)
  const behind = format === 'jpeg' ? (orientation === 1 ? gainMap?.upright : gainMap?.stored) : undefined
  const said = behind ? withDescription(xmp, mapDescription(behind.length)) : xmp
  const added = {
    exif,
    ...(container.iptc ? { xmp: said, iptc } : { xmp: xmpWithIptc({ xmp, iptc }) }),
    ...(!there.icc && { icc }),
  }
  const isEmpty = Object.values(added).every((block) => block === undefined)
  const described = isEmpty ? bytes : container.write(bytes, added, { width, height })
  return behind ? withMap(described, behind) : described
}
