import { limits } from '../contract/limits.ts'
import { jpegExcess, scansOf } from '../jpeg-segments.ts'
import { type Directory, readDirectory } from './directory.ts'
import { compressions } from './layout.ts'

/** Properties of a TIFF's pictures, from its directories. */
export interface TiffPages {
  /** The first page is JPEG-compressed. */
  readonly jpeg: boolean
  /** The first page is black and white, one bit a pixel. */
  readonly bilevel: boolean
  /** There are further pages at full size, which libvips would drop. */
  readonly more: boolean
}

/** TIFF 6.0, sections 8 and 15; offsets and lengths of strips, and of tiles. */
const tags = {
  subfileType: 254,
  bitsPerSample: 258,
  compression: 259,
  samplesPerPixel: 277,
  places: [273, 324],
  lengths: [279, 325],
} as const
/** The bit of NewSubfileType for a reduced version of another picture. */
const REDUCED = 1
const JPEG: readonly number[] = [compressions.oldJpeg, compressions.jpeg]

/** A limit, since directories may form a cycle. */
const MOST_PAGES = 1_000

/** Undefined if the first directory is damaged. */
export function tiffPagesOf(file: Buffer): TiffPages | undefined {
  const first = readDirectory(file)
  if (!first) return undefined
  const number = (directory: Directory, tag: number, otherwise: number) => directory.numbers(tag)[0] ?? otherwise
  let more = false
  let page = first.next()
  for (let count = 1; page && !more && count < MOST_PAGES; count++, page = page.next()) {
    more = (number(page, tags.subfileType, 0) & REDUCED) === 0
  }
  return {
    jpeg: JPEG.includes(number(first, tags.compression, compressions.none)),
    bilevel: number(first, tags.samplesPerPixel, 1) === 1 && number(first, tags.bitsPerSample, 1) === 1,
    more,
  }
}

const { tiffStrips, tiffJpegScans } = limits.structure

/** An offset takes four bytes in nearly every file, two or eight in others. */
const OFFSET_BYTES = 4

/** The limit that the first picture of a TIFF exceeds. */
export function tiffExcess(file: Buffer): string | undefined {
  const first = readDirectory(file)
  if (!first) return undefined
  const isExcess = tags.places.some((tag) => (first.bytes(tag)?.length ?? 0) > tiffStrips * OFFSET_BYTES)
  if (isExcess) return `${tiffStrips} strips or tiles`
  return first.numbers(tags.compression)[0] === compressions.jpeg ? jpegStripExcess(file, first) : undefined
}

/** Each strip is a separate JPEG with any number of scans, for each of which libtiff takes ten times as long as libjpeg alone. */
function jpegStripExcess(file: Buffer, first: Directory): string | undefined {
  const [places, lengths] = [tags.places, tags.lengths].map((both) => both.flatMap((tag) => first.numbers(tag))) as [
    number[],
    number[],
  ]
  let read = 0
  for (const [index, at] of places.entries()) {
    const strip = file.subarray(at, at + (lengths[index] || file.length))
    // Strips that share bytes would otherwise be scanned repeatedly.
    read += strip.length
    if (read > 2 * file.length) return 'twice its size in strips or tiles'
    if (jpegExcess(strip) || scansOf(strip, tiffJpegScans) > tiffJpegScans) return `${tiffJpegScans} scans in a strip or tile`
  }
  return undefined
}
