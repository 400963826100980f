import type { Sharp } from 'sharp'
import { limits } from '../contract/limits.ts'
import { sharp } from './sharp.ts'

/**
 * Decodes 16-bit pixels that have a profile, opened with `ignoreIcc`. By itself sharp turns those into Display P3 to work
 * on and hands these numbers on as if they were sRGB, and passes over the profile of grey ones; a profile asked for in
 * the end makes it one step from theirs.
 */
export async function toSrgb(pixels: Sharp, grey: boolean): Promise<Sharp> {
  const { data, info } = await pixels
    .toColourspace(grey ? 'grey16' : 'rgb16')
    .withIccProfile('srgb', { attach: false })
    .raw({ depth: 'ushort' })
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const samples = new Uint16Array(data.buffer, data.byteOffset, data.length / 2)
  return sharp(samples, { raw: { width, height, channels }, limitInputPixels: limits.pixels })
}
