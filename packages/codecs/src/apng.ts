import type { Timing } from './codec.ts'
import { chunksIn } from './png-file.ts'

/** The frames of an APNG, which libvips would drop, begin with this chunk. */
export const isAnimated = (bytes: Buffer): boolean => bytes.subarray(0, 4096).includes('acTL')

/** Bytes of a frame's control chunk before its delay, a fraction of a second (PNG, third edition, 11.3.6.2). */
const DELAY_AT = 20
const CONTROL_BYTES = 26
/** Of a delay whose denominator is 0. */
const HUNDREDTHS = 100

/** The frames of an APNG; undefined of a still picture. */
export function apngTiming(file: Buffer): Timing | undefined {
  let isAnimated = false
  let frames = 0
  let seconds = 0
  for (const { type, data } of chunksIn(file)) {
    if (type === 'acTL') isAnimated = true
    if (type !== 'fcTL' || data.length < CONTROL_BYTES) continue
    frames++
    seconds += data.readUInt16BE(DELAY_AT) / (data.readUInt16BE(DELAY_AT + 2) || HUNDREDTHS)
  }
  return isAnimated && frames > 1 ? { frames, durationMs: Math.round(seconds * 1_000) } : undefined
}
