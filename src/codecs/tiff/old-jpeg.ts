import type { Directory } from './directory.ts'

const [INTERCHANGE_FORMAT, STRIP_OFFSETS] = [513, 273]
/** SOI, and the first byte of the next marker. */
const START_OF_IMAGE = 0xffd8ff

/** The whole JPEG file that most writers of old-style JPEG (TIFF 6.0, section 22) put inside; undefined where there is none. */
export function jpegInside(file: Buffer, directory: Directory): Buffer | undefined {
  // Some name a wrong place, and have it all in their only strip.
  const places = [...directory.numbers(INTERCHANGE_FORMAT), ...directory.numbers(STRIP_OFFSETS)]
  const at = places.find((place) => place + 4 <= file.length && file.readUIntBE(place, 3) === START_OF_IMAGE)
  return at === undefined ? undefined : file.subarray(at)
}
