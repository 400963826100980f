import type { Completed } from '../codec.ts'
import { limits } from '../contract/limits.ts'
import { box, type FileBox, fileBoxesIn, wholeBoxesIn } from '../isobmff/boxes.ts'

/** ISO/IEC 18181-2, 9.1: a codestream alone, or in a container of boxes. */
const CODESTREAM = Buffer.from([0xff, 0x0a])
const SIGNATURE = Buffer.from('0000000c4a584c200d0a870a', 'hex')

export const isJxl = (head: Buffer): boolean =>
  head.subarray(0, CODESTREAM.length).equals(CODESTREAM) || head.subarray(0, SIGNATURE.length).equals(SIGNATURE)

const isBare = (file: Buffer): boolean => file.subarray(0, CODESTREAM.length).equals(CODESTREAM)

/** More boxes than any file has. */
export function jxlExcess(file: Buffer): string | undefined {
  const { parts } = limits.structure
  return !isBare(file) && fileBoxesIn(file).length > parts ? `${parts} boxes` : undefined
}

/** The number of a part of the codestream, at the start of its box. */
const PART_BYTES = 4

/**
 * The codestream without its container, whose other boxes the decoder need not know: it refuses compressed ones (`brob`).
 * Undefined where there is none.
 */
export function codestreamOf(file: Buffer): Buffer | undefined {
  if (isBare(file)) return file
  const boxes = fileBoxesIn(file)
  const whole = boxes.find(({ type }) => type === 'jxlc')
  if (whole) return whole.body
  const parts = boxes.filter(({ type }) => type === 'jxlp').map(({ body }) => body.subarray(PART_BYTES))
  return parts.length > 0 ? Buffer.concat(parts) : undefined
}

/** A container that is cut in a box after its codestream, without that box; undefined where the codestream itself is cut. */
export function completedJxl(file: Buffer): Completed | undefined {
  if (isBare(file) || fileBoxesIn(file).length > 0) return undefined
  const { boxes, rest } = wholeBoxesIn(file)
  if (codestreamOf(joinBoxes(boxes)) === undefined || rest.toString('latin1', 4, 7) === 'jxl') return undefined
  return { file: file.subarray(0, file.length - rest.length), warning: 'missing_end' }
}

/** Boxes that are needed to decode: others hold metadata, thumbnails, or what restores a JPEG. */
const NEEDED: readonly string[] = ['JXL ', 'ftyp', 'jxll', 'jxlc', 'jxlp']

/** The file without metadata. Orientation is part of the codestream. A damaged file is returned unchanged. */
export function stripJxl(file: Buffer): Buffer {
  if (isBare(file)) return file
  const boxes = fileBoxesIn(file)
  const neededBoxes = boxes.filter(({ type }) => NEEDED.includes(type))
  return neededBoxes.length === boxes.length || neededBoxes.length === 0 ? file : joinBoxes(neededBoxes)
}

const joinBoxes = (boxes: readonly FileBox[]): Buffer => Buffer.concat(boxes.flatMap(({ header, body }) => [header, body]))

const FILE_TYPE = box('ftyp', Buffer.from('jxl \0\0\0\0jxl ', 'latin1'))

/** The file with further boxes before its codestream. */
export function withBoxes(file: Buffer, newBoxes: readonly Buffer[]): Buffer {
  if (isBare(file)) return Buffer.concat([SIGNATURE, FILE_TYPE, ...newBoxes, box('jxlc', file)])
  const boxes = fileBoxesIn(file)
  const first = boxes.findIndex(({ type }) => type === 'jxlc' || type === 'jxlp')
  return first < 0 ? file : Buffer.concat([joinBoxes(boxes.slice(0, first)), ...newBoxes, joinBoxes(boxes.slice(first))])
}
