import { profileOf } from '../icc-profile.ts'
import { type Chromaticity, D65, gammaCurve, type RgbSpace } from '../rgb-space.ts'
import type { InfoHeader } from './header.ts'
import {
  CALIBRATED_RGB,
  COLOUR_SPACE_AT,
  ENDPOINTS_AT,
  GAMMAS_AT,
  PROFILE_AT,
  PROFILE_EMBEDDED,
  V4_HEADER_BYTES,
  V5_HEADER_BYTES,
} from './layout.ts'

/** No ICC profile is shorter than its header (ICC.1:2022, 7.2). */
const ICC_HEADER_BYTES = 128
/** Plausible exponents of a display or camera. */
const LEAST_GAMMA = 1
const MOST_GAMMA = 4
/** Twice the area of the primaries' triangle; sRGB's is 0.22. A smaller one gives a matrix that cannot be inverted. */
const LEAST_AREA = 0.02

/** The ICC profile of the pixels: embedded, or made from the calibration; undefined for sRGB. */
export function profileFor(bytes: Buffer, header: InfoHeader): Uint8Array | undefined {
  const says = (space: number) => bytes.readUInt32LE(header.at + COLOUR_SPACE_AT) === space
  if (header.length >= V5_HEADER_BYTES && says(PROFILE_EMBEDDED)) return embeddedProfile(bytes, header.at)
  if (header.length >= V4_HEADER_BYTES && says(CALIBRATED_RGB)) {
    const space = calibratedSpace(bytes, header.at)
    return space && profileOf(space)
  }
  return undefined
}

/** A linked profile is not read: its name is a path on the author's computer. */
function embeddedProfile(bytes: Buffer, at: number): Buffer | undefined {
  const from = at + bytes.readUInt32LE(at + PROFILE_AT)
  const icc = bytes.subarray(from, from + bytes.readUInt32LE(at + PROFILE_AT + 4))
  const whole = icc.length >= ICC_HEADER_BYTES && icc.length === icc.readUInt32BE(0)
  return whole && icc.toString('latin1', 16, 20) === 'RGB ' && icc.toString('latin1', 36, 40) === 'acsp' ? icc : undefined
}

/** LCS_CALIBRATED_RGB; undefined for implausible numbers, such as the zeros that most writers leave. */
function calibratedSpace(bytes: Buffer, at: number): RgbSpace | undefined {
  const endpoint = (index: number) => chromaticityAt(bytes, at + ENDPOINTS_AT + index * 12)
  const red = endpoint(0)
  const green = endpoint(1)
  const blue = endpoint(2)
  // 16.16.
  const gamma = (index: number) => bytes.readUInt32LE(at + GAMMAS_AT + index * 4) / 2 ** 16
  const gammas = [gamma(0), gamma(1), gamma(2)] as const
  if (!red || !green || !blue || gammas.some((value) => value < LEAST_GAMMA || value > MOST_GAMMA)) return undefined
  const area = (green[0] - red[0]) * (blue[1] - red[1]) - (blue[0] - red[0]) * (green[1] - red[1])
  if (Math.abs(area) < LEAST_AREA) return undefined
  // The header has no white point; sRGB's is the usual one.
  return { red, green, blue, white: D65, curves: [gammaCurve(gammas[0]), gammaCurve(gammas[1]), gammaCurve(gammas[2])] }
}

/** A CIEXYZ of three numbers of 2.30 bits. */
function chromaticityAt(bytes: Buffer, at: number): Chromaticity | undefined {
  const x = bytes.readUInt32LE(at)
  const y = bytes.readUInt32LE(at + 4)
  const z = bytes.readUInt32LE(at + 8)
  return y > 0 ? [x / (x + y + z), y / (x + y + z)] : undefined
}
