import { pipelineOf, readStrip } from '@pixelmill/codecs/pixels/strip'
import type { Sharp } from 'sharp'
import type { Picture } from './picture.ts'

/** The pixels, ready for a colour beside them: libvips would take only its brightness for a picture of one channel. */
export const inColour = async ({ pixels, frames, header, canvas }: Picture): Promise<Sharp> =>
  canvas.grey ? pipelineOf(await readStrip(pixels, frames, header.deep)) : pixels

// Colours as fields.ts gives them: two digits for each channel.

export const isTransparent = (colour: string): boolean => colour.length === 9 && !colour.endsWith('ff')
export const isGrey = (colour: string): boolean =>
  colour.slice(1, 3) === colour.slice(3, 5) && colour.slice(3, 5) === colour.slice(5, 7)
