import type { Completed } from '../codec.ts'
import { limits } from '../contract/limits.ts'
import { cutBlockAt, isImageAt, lastSubBlockAt, TRAILER } from './blocks.ts'
import { hasLastFrame } from './read-gif.ts'

const END = Buffer.from([TRAILER])
/** An empty sub-block ends the pixels of a frame. */
const END_OF_FRAME = Buffer.from([0, TRAILER])

/**
 * A GIF with the trailer that it lacks. A last frame that is cut is kept where all of its pixels are there, and so is a file that is cut
 * in a comment; undefined for a complete file, and for one that lacks pixels.
 */
export function completedGif(file: Buffer): Completed | undefined {
  const at = cutBlockAt(file)
  if (at === undefined) return undefined
  if (!isImageAt(file, at)) return { file: Buffer.concat([file.subarray(0, at), END]), warning: 'missing_end' }
  const last = lastSubBlockAt(file, at)
  if (last === undefined) return undefined
  const completeFile = Buffer.concat([file, END_OF_FRAME])
  // The last sub-block becomes as long as it is.
  if (last < file.length) completeFile.writeUInt8(file.length - last - 1, last)
  return hasLastFrame(completeFile, limits.pixels) ? { file: completeFile, warning: 'missing_end' } : undefined
}
