import type { SharpOptions } from 'sharp'
import type { Codec } from '../codecs/codec.ts'
import { limits } from '../contract/limits.ts'
import type { Header } from './header.ts'
import type { Image } from './image.ts'
import { sharp } from './sharp.ts'

/**
 * 'truncated' refuses files that are cut, and opens 60 of 3,316 real files that the stricter levels refuse for
 * harmless warnings. A second wall behind the header check is the pixel limit of the decoder itself.
 */
const untrusted = {
  autoOrient: true,
  failOn: 'truncated',
  limitInputPixels: limits.pixels,
  limitInputChannels: 5,
  sequentialRead: true,
} as const satisfies SharpOptions

/** How many frames are to be decoded when the answer is written as `target`: the first only, if it cannot move. */
export const framesFor = (header: Header, target: Codec): number => (target.animated ? header.frames : 1)

/** Opens bytes whose header has been checked. Pixels are decoded when something is written from them. */
export function openImage(bytes: Buffer, header: Header, target: Codec): Image {
  const frames = framesFor(header, target)
  return { source: bytes, header, frames, pixels: sharp(bytes, { ...untrusted, animated: frames > 1 }) }
}

/**
 * Whether all pixels can be decoded: asked after a failure, to know whose fault it was. Shrunk to one pixel a frame, so
 * that it takes no memory; sharp's stats() would forgive damage that a pipeline does not.
 */
export const decodes = ({ source, frames }: Image): Promise<boolean> =>
  sharp(source, { ...untrusted, animated: frames > 1 })
    .resize(1, 1, { fit: 'fill' })
    .raw()
    .toBuffer()
    .then(
      () => true,
      () => false,
    )
