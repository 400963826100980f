import { ONE } from './axis.ts'
import { sRgbCoded, sRgbCurve } from './srgb.ts'

/** Tables from samples to what is averaged, and back. `light` is of sRGB; `samples` averages samples as they are. */

type Curve = (value: number) => number
const identity: Curve = (value) => value

/** Of 8-bit samples, in 14 bits. */
export interface Levels {
  readonly light: Int16Array
  readonly samples: Uint8Array
}

/** Of 16-bit samples, in floats. */
export interface DeepLevels {
  readonly light: Float32Array
  /** Samples at the beginnings of the steps of `gather16`. */
  readonly samples: Float32Array
  /** 16-bit samples for each unit of what is averaged, where that is darker than the first step. */
  readonly slope: number
}

const levelsOf = (toLight: Curve, toSample: Curve): Levels => ({
  light: Int16Array.from({ length: 256 }, (_, sample) => Math.round(toLight(sample / 255) * ONE)),
  samples: Uint8Array.from({ length: ONE + 1 }, (_, light) => Math.round(toSample(light / ONE) * 255)),
})

export const levels = { light: levelsOf(sRgbCurve, sRgbCoded), samples: levelsOf(identity, identity) } as const

/** Powers of two from FIRST_STEP of `gather16` to 1, and the steps in each. */
const OCTAVES = 9
const STEPS = 256
const DEEPEST = 65_535
const DARK = 2 ** -(OCTAVES + 1)

function deepLevelsOf(toLight: Curve, toSample: Curve): DeepLevels {
  const beginningOf = (step: number) => 2 ** (Math.floor(step / STEPS) - OCTAVES) * (1 + (step % STEPS) / STEPS)
  return {
    light: Float32Array.from({ length: DEEPEST + 1 }, (_, sample) => toLight(sample / DEEPEST)),
    samples: Float32Array.from({ length: OCTAVES * STEPS + 1 }, (_, step) => toSample(beginningOf(step)) * DEEPEST),
    slope: (toSample(DARK) / DARK) * DEEPEST,
  }
}

/** Half a megabyte for both: made when the first picture of 16 bits comes. */
const deepCurves = { light: () => deepLevelsOf(sRgbCurve, sRgbCoded), samples: () => deepLevelsOf(identity, identity) } as const
const cachedLevels = new Map<keyof typeof deepCurves, DeepLevels>()

export function deepLevels(basis: keyof typeof deepCurves): DeepLevels {
  const table = cachedLevels.get(basis) ?? deepCurves[basis]()
  cachedLevels.set(basis, table)
  return table
}
