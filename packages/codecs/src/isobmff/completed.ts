import type { Completed } from '../codec.ts'
import { fileBoxesIn, wholeBoxesIn, withBody } from './boxes.ts'
import { pictureAndMetadataEnds } from './items.ts'

/** More than any metadata that a service keeps: a file that lacks more is not completed. */
const MOST_MISSING = 1024 * 1024

/**
 * A HEIC or AVIF that is cut after its pictures: in an item of metadata, which zeros complete, or in a box that follows, such as the
 * film of a phone, which is removed. Undefined for a complete file, and for one that lacks pixels.
 */
export function completedIsobmff(file: Buffer): Completed | undefined {
  if (fileBoxesIn(file).length > 0) return undefined
  const { boxes, rest } = wholeBoxesIn(file)
  const { pictures, metadata } = pictureAndMetadataEnds(file)
  const start = file.length - rest.length
  if (boxes.length === 0 || pictures === 0 || pictures > file.length) return undefined
  if (Math.max(pictures, metadata) <= start) return { file: file.subarray(0, start), warning: 'missing_end' }
  const missing = Math.max(0, metadata - file.length)
  const header = rest.readUInt32BE(0) === 1 ? 16 : 8
  if (rest.length < header || missing > MOST_MISSING) return undefined
  const body = Buffer.concat([rest.subarray(header), Buffer.alloc(missing)])
  const last = withBody({ type: '', header: rest.subarray(0, header), body }, body)
  return { file: Buffer.concat([file.subarray(0, start), last]), warning: 'missing_end' }
}
