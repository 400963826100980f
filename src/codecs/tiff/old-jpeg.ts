import type { Directory } from './directory.ts'

const [INTERCHANGE_FORMAT, INTERCHANGE_FORMAT_LENGTH] = [513, 514]
/** SOI, and the first byte of the next marker. */
const START_OF_IMAGE = 0xffd8ff

/** The whole JPEG file that most writers of old-style JPEG (TIFF 6.0, section 22) put inside; undefined where there is none. */
export function jpegInside(file: Buffer, directory: Directory): Buffer | undefined {
  const [at = 0] = directory.numbers(INTERCHANGE_FORMAT)
  const [length = file.length] = directory.numbers(INTERCHANGE_FORMAT_LENGTH)
  if (at === 0 || at + 4 > file.length || file.readUIntBE(at, 3) !== START_OF_IMAGE) return undefined
  return file.subarray(at, at + length)
}
