import { pipelineOf, readStrip, type Strip } from '@pixelmill/codecs/pixels/strip'
import type { Sharp } from 'sharp'
import type { Picture } from './picture.ts'

/**
 * Runs the pipeline, and starts a new one from its samples as edited in memory.
 * @param alpha whether the edit needs a channel of opacity
 */
export async function editStrip(
  { pixels, frames, header }: Picture,
  edit: (strip: Strip) => void,
  { alpha }: { readonly alpha: boolean },
): Promise<Sharp> {
  const strip = await readStrip(alpha ? pixels.ensureAlpha() : pixels, frames, header.deep)
  edit(strip)
  return pipelineOf(strip)
}
