import type { Sharp } from 'sharp'
import type { EncodeSettings, Written } from '../codec.ts'
import { clearHidden, type Raster } from '../pixels/raster.ts'
import { readGrey } from '../pixels/strip.ts'
import { chunk, pngOfChunks } from '../png-file.ts'
import { type CodedFrame, frameCoderFor } from './frame-coder.ts'
import { type FramePlan, planFrames } from './plan-frames.ts'
import { type FrameControl, KEEP } from './read-apng.ts'

type Settings = Pick<EncodeSettings, 'alpha' | 'animation' | 'icc'>

/** Milliseconds of a frame without a delay. */
const DEFAULT_DELAY = 100

/**
 * Writes every frame as it is, but for the colours of invisible pixels: of each the rectangle that differs from what is there, in the
 * fewest channels and bits that hold all frames.
 * @param pixels the frames, one below the other
 * @param level of zlib, by default that of still pictures
 */
export async function writeApng(
  pixels: Sharp,
  { alpha = false, animation = {}, icc }: Settings,
  level?: number,
): Promise<Written> {
  const { delay = [], loop = 0 } = animation
  const { count, ...raster } = await stripOf(pixels, alpha)
  clearHidden(raster)
  const animationFrames = { ...raster, height: raster.height / count, count }
  const coder = frameCoderFor(animationFrames, { mayBeGrey: icc === undefined, level })
  const frames: (CodedFrame & Pick<FramePlan, 'area' | 'disposalBefore'>)[] = []
  for (const plan of planFrames(animationFrames)) {
    const { area, disposalBefore } = plan
    frames.push({ area, disposalBefore, ...(await coder.code(plan)) })
  }
  const chunks: Buffer[] = []
  let sequence = 0
  for (const [index, { area, data, blend }] of frames.entries()) {
    const disposal = frames[index + 1]?.disposalBefore ?? KEEP
    const seconds = (delay[index] ?? DEFAULT_DELAY) / 1_000
    chunks.push(controlChunk(sequence++, { ...area, seconds, disposal, blend }))
    if (index === 0) chunks.push(chunk('IDAT', data))
    else chunks.push(chunk('fdAT', Buffer.concat([longs(sequence++), data])))
  }
  const { header, palette } = coder.head()
  const bytes = pngOfChunks(header, [chunk('acTL', longs(count, loop)), ...palette, ...chunks])
  return { bytes, width: raster.width, height: animationFrames.height }
}

async function stripOf(pixels: Sharp, alpha: boolean): Promise<Raster & { readonly count: number }> {
  const inColour = pixels.clone().toColourspace('srgb').raw({ depth: 'uchar' })
  const { data, info } = await inColour.toBuffer({ resolveWithObject: true })
  const { width, height, channels, pages: count = 1 } = info
  // Of shades that `grayscale` has made, the alpha is never given.
  const shades = alpha && channels % 2 === 1 ? await readGrey(pixels, false, true) : undefined
  if (shades) return { ...shades, data: Uint8Array.from(shades.data), count }
  return { data, width, height, channels, count }
}

/** 32 bits each. */
function longs(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, 4 * index)
  return bytes
}

function controlChunk(sequence: number, { left, top, width, height, seconds, disposal, blend }: FrameControl): Buffer {
  const [delay, unit] = fractionOf(seconds)
  const rest = Buffer.from([0, 0, 0, 0, disposal, blend])
  rest.writeUInt16BE(delay, 0)
  rest.writeUInt16BE(unit, 2)
  return chunk('fcTL', Buffer.concat([longs(sequence, width, height, left, top), rest]))
}

const MOST_PARTS = 65_535

/** In thousandths, or in larger parts where these are too many. */
function fractionOf(seconds: number): readonly [delay: number, unit: number] {
  const unit = [1_000, 100, 10].find((one) => Math.round(seconds * one) <= MOST_PARTS) ?? 1
  return [Math.min(MOST_PARTS, Math.round(seconds * unit)), unit]
}
