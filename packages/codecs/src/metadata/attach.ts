import type { Codec } from '../codec.ts'
import { orientationOf } from '../exif.ts'
import { isBehindPicture, type MapFiles } from '../hdr/gain-map.ts'
import { withMapItems } from '../hdr/write-isobmff.ts'
import { describedMap, mapDescription, withMap } from '../hdr/write-jpeg.ts'
import { codecs } from '../index.ts'
import { programs } from '../programs.ts'
import { type Attachments, blocksFor, hasDensityInExif } from './attachments.ts'
import { densityOf, withDensity } from './density.ts'
import { readBlocks } from './read-blocks.ts'
import { withDescription } from './xmp.ts'

/** A file of pixels. */
interface EncodedFile {
  readonly bytes: Buffer
  readonly codec: Codec
  readonly width: number
  readonly height: number
  /** The source's own file. */
  readonly untouched?: true
  /** For a codec that an external program finishes: what to send if its file is not smaller. */
  readonly finish?: { readonly quality: number | undefined; readonly otherwise?: Buffer }
}

/** What becomes of a file. */
interface Attached {
  readonly bytes: Buffer
  readonly finish?: NonNullable<EncodedFile['finish']>
  /** Of a file that an external program finishes: what it gets afterwards. */
  readonly gainMap?: MapFiles
}

/**
 * Adds to a finished file what it carries. Where it becomes larger than `mostBytes`, with less of its map: its values by one standard
 * alone, then no map.
 */
export function attach(
  file: EncodedFile,
  attachments: Attachments | undefined,
  mostBytes = Number.POSITIVE_INFINITY,
): Attached & { readonly hasMap: boolean } {
  if (!attachments) return { bytes: file.bytes, hasMap: false }
  const hasMap = attachments.gainMap !== undefined
  const whole = { ...withAttachments(file, attachments, 'both'), hasMap }
  if (!hasMap || whole.bytes.length <= mostBytes || file.finish) return whole
  const compact = { ...withAttachments(file, attachments, 'iso'), hasMap }
  if (compact.bytes.length <= mostBytes) return compact
  return { ...withAttachments(file, { ...attachments, gainMap: undefined }, 'both'), hasMap: false }
}

/** The standards by which a map's values are written into a JPEG. */
type MapStandards = 'both' | 'iso'

function withAttachments(file: EncodedFile, attachments: Attachments, standards: MapStandards): Attached {
  const { codec, finish } = file
  if (!finish || !codec.finish) return { bytes: fileWith(attachments, file, standards) }
  const { otherwise } = finish
  const ownFile = otherwise && fileWith(attachments, { ...file, bytes: otherwise, untouched: true }, standards)
  // A PNG that becomes HEIC, and a JPEG that becomes JPEG XL, carry it there.
  const interim = { ...file, codec: codecs[programs[codec.finish].reads] }
  return {
    bytes: fileWith({ ...attachments, density: undefined }, interim, standards),
    finish: { ...finish, ...(ownFile && { otherwise: ownFile }) },
    ...(attachments.gainMap && { gainMap: attachments.gainMap }),
  }
}

function fileWith(
  attachments: Attachments,
  { bytes, codec, width, height, untouched }: EncodedFile,
  standards: MapStandards,
): Buffer {
  if (!codec.container) return bytes
  const { icc, gainMap, density } = attachments
  const isItem = gainMap && codec.gainMap?.brands !== undefined && !untouched
  const picture = isItem ? withMapItems(bytes, codec, gainMap.upright, gainMap.values) : bytes
  // A file that was not encoded again has its orientation and its profile already.
  const present = readBlocks(picture, codec)
  const orientation = present.exif ? orientationOf(present.exif) : 1
  const inExif = codec.density?.isExif ? !densityOf(picture, codec) : hasDensityInExif(attachments, codec)
  const blocks = blocksFor(attachments, codec, orientation, inExif)
  const map = orientation === 1 ? gainMap?.upright : gainMap?.stored
  const isForAll = standards === 'both'
  const behind = gainMap && map && isBehindPicture(codec) ? describedMap(map, gainMap.values, isForAll) : undefined
  const xmp = behind && isForAll ? withDescription(blocks.xmp, mapDescription(behind.length)) : blocks.xmp
  const newBlocks = { ...blocks, xmp, ...(!present.icc && { icc }) }
  const isEmpty = Object.values(newBlocks).every((block) => block === undefined)
  const whole = isEmpty ? picture : codec.container.write(picture, newBlocks, { width, height })
  const dense = density ? withDensity(whole, codec, density) : whole
  return behind ? withMap(dense, behind) : dense
}
