import { type Directory, readDirectory } from './directory.ts'
import { compressions } from './layout.ts'

/** What the directories of a TIFF say of its pictures. */
export interface TiffPages {
  /** The first page has JPEG inside. */
  readonly jpeg: boolean
  /** The first page is black and white, one bit a pixel. */
  readonly bilevel: boolean
  /** There are further pages in full size, which libvips would drop. */
  readonly more: boolean
}

/** TIFF 6.0, section 8. */
const tags = { subfileType: 254, bitsPerSample: 258, compression: 259, samplesPerPixel: 277 } as const
/** The bit of NewSubfileType that says: a smaller version of another picture of the file. */
const REDUCED = 1
const JPEG: readonly number[] = [compressions.oldJpeg, compressions.jpeg]

/** Directories may point back to each other; books have fewer pages. */
const MOST_PAGES = 1_000

/** Undefined where the first directory is damaged. */
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
