import { orientationOf } from '../codecs/exif.ts'
import type { Encoded } from '../image/encode.ts'
import type { MetadataBlocks } from '../metadata/blocks.ts'
import { containers, readBlocks } from '../metadata/containers/index.ts'
import { keptBlocks, xmpWithIptc } from '../metadata/policy.ts'
import type { FormatName } from '../web/image-formats.ts'
import type { Picture } from './picture.ts'
import type { PlannedOutput } from './plan.ts'

/** What an output carries beside its pixels, of what its source has. */
export interface Carried {
  /** The blocks for a file whose pixels are to be turned by this EXIF orientation when they are shown. */
  metadata(orientation: number): MetadataBlocks
  readonly icc: Buffer | undefined
}

/** Undefined where it carries nothing, as by default. */
export function carriedBy(
  { source, header, icc, canvas }: Picture,
  { asked: { metadata: policy } }: PlannedOutput,
): Carried | undefined {
  // A grey file cannot have the profile of colours.
  const profile = canvas.grey ? undefined : icc
  if (policy === 'none') return profile && { icc: profile, metadata: () => ({}) }
  const blocks = readBlocks(source, header.codec.name)
  return { icc: profile, metadata: (orientation) => keptBlocks(blocks, policy, orientation) }
}

/** The header of a segment, chunk or box, and of what is inside it. */
const OVERHEAD = 100

/** About how many bytes are added to a file. */
export const bytesOf = (carried: Carried | undefined): number =>
  Object.values<Buffer | undefined>({ ...carried?.metadata(1), icc: carried?.icc }).reduce(
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

function written({ bytes, width, height }: Encoded, format: FormatName, { metadata, icc }: Carried): Buffer {
  const container = containers[format]
  if (!container) return bytes
  // A file that was not encoded again has its orientation and its profile already.
  const there = readBlocks(bytes, format)
  const { iptc, xmp, exif } = metadata(there.exif ? orientationOf(there.exif) : 1)
  const added = { exif, ...(container.iptc ? { xmp, iptc } : { xmp: xmpWithIptc({ xmp, iptc }) }), ...(!there.icc && { icc }) }
  return Object.values(added).some((block) => block !== undefined) ? container.write(bytes, added, { width, height }) : bytes
}
