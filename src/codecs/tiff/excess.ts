import { limits } from '../../contract/limits.ts'
import { jpegExcess, scansOf } from '../jpeg-markers.ts'
import { type Directory, readDirectory } from './directory.ts'
import { compressions } from './layout.ts'

const { tiffStrips, tiffJpegScans } = limits.structure

/** Offsets and lengths of strips and of tiles, and the compression (TIFF 6.0, sections 8 and 15). */
const tags = { compression: 259, places: [273, 324], lengths: [279, 325] } as const
/** An offset takes four bytes in nearly every file, two or eight in others. */
const OFFSET_BYTES = 4

/** What the first picture of a TIFF has too many of. */
export function tiffExcess(file: Buffer): string | undefined {
  const first = readDirectory(file)
  if (!first) return undefined
  const isExcess = tags.places.some((tag) => (first.bytes(tag)?.length ?? 0) > tiffStrips * OFFSET_BYTES)
  if (isExcess) return `${tiffStrips} strips or tiles`
  return first.numbers(tags.compression)[0] === compressions.jpeg ? jpegStripExcess(file, first) : undefined
}

/** Each strip is a JPEG of its own, of as many scans as it likes: libtiff takes ten times as long for one as libjpeg alone. */
function jpegStripExcess(file: Buffer, first: Directory): string | undefined {
  const [places, lengths] = [tags.places, tags.lengths].map((both) => both.flatMap((tag) => first.numbers(tag))) as [
    number[],
    number[],
  ]
  let read = 0
  for (const [index, at] of places.entries()) {
    const strip = file.subarray(at, at + (lengths[index] || file.length))
    // Strips that share their bytes would be counted again and again.
    read += strip.length
    if (read > 2 * file.length) return 'twice its size in strips or tiles'
    if (jpegExcess(strip) || scansOf(strip, tiffJpegScans) > tiffJpegScans) return `${tiffJpegScans} scans in a strip or tile`
  }
  return undefined
}
