import { createRequire } from 'node:module'
import type { Raster } from '@pixelmill/codecs/pixels/raster'

const require = createRequire(import.meta.url)

/** Loaded at the first call: the API process imports the tasks' parameters, and computes no hash. */
const blurhash = (): typeof import('blurhash') => require('blurhash') as typeof import('blurhash')
const thumbhash = (): typeof import('thumbhash') => require('thumbhash') as typeof import('thumbhash')

/** ThumbHash takes pictures of at most 100 × 100 pixels. */
export const HASHED_SIDE = 100

/** The ThumbHash of RGBA pixels with sides of at most HASHED_SIDE, in Base64. */
export const thumbHashOf = ({ data, width, height }: Raster): string =>
  Buffer.from(thumbhash().rgbaToThumbHash(width, height, data)).toString('base64')

/** BlurHash components along the longer and the shorter side: the numbers that its documentation recommends. */
const LONG = 4
const SHORT = 3

/** The BlurHash of opaque RGBA pixels. */
export function blurHashOf({ data, width, height }: Raster): string {
  const [across, down] = width >= height ? [LONG, SHORT] : [SHORT, LONG]
  return blurhash().encode(new Uint8ClampedArray(data), width, height, across, down)
}

/** Pixels of the grey picture that is transformed, and the lowest frequencies that are kept, along each side. */
export const PERCEIVED_SIDE = 32
const KEPT = 8

/**
 * A perceptual hash of 64 bits, in hexadecimal digits: whether each of the 8 × 8 lowest frequencies of a picture of 32 × 32 grey pixels
 * is above their median. Pictures that look alike differ in few bits, at most about 10.
 */
export function perceptualHashOf({ data }: Raster): string {
  const coefficients = lowFrequencies(data)
  // The first is the mean brightness, which says nothing of the shapes.
  const median = medianOf(coefficients.slice(1))
  const bits = Array.from(coefficients, (value) => (value > median ? '1' : '0')).join('')
  return BigInt(`0b${bits}`).toString(16).padStart(16, '0')
}

const cosines = Float64Array.from({ length: KEPT * PERCEIVED_SIDE }, (_, index) => {
  const frequency = Math.floor(index / PERCEIVED_SIDE)
  const place = index % PERCEIVED_SIDE
  return Math.cos(((2 * place + 1) * frequency * Math.PI) / (2 * PERCEIVED_SIDE))
})

/** The KEPT × KEPT lowest coefficients of the two-dimensional DCT, row by row, not normalised. */
function lowFrequencies(grey: Uint8Array): Float64Array {
  const rows = new Float64Array(PERCEIVED_SIDE * KEPT)
  for (let y = 0; y < PERCEIVED_SIDE; y++)
    for (let across = 0; across < KEPT; across++)
      rows[y * KEPT + across] = weightedSum(across, (x) => grey[y * PERCEIVED_SIDE + x] as number)
  return Float64Array.from({ length: KEPT * KEPT }, (_, index) => {
    const down = Math.floor(index / KEPT)
    const across = index % KEPT
    return weightedSum(down, (y) => rows[y * KEPT + across] as number)
  })
}

function weightedSum(frequency: number, sample: (place: number) => number): number {
  let sum = 0
  for (let place = 0; place < PERCEIVED_SIDE; place++)
    sum += (cosines[frequency * PERCEIVED_SIDE + place] as number) * sample(place)
  return sum
}

function medianOf(values: Float64Array): number {
  const ascending = values.toSorted()
  return ascending[ascending.length >> 1] as number
}
