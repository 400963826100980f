import type { Size } from '@pixelmill/codecs/pixels/size'

/** RGB, three samples of 0–255 for each pixel. */
export interface Rgb extends Size {
  readonly data: ArrayLike<number>
}

const toLight = (sample: number) => (sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4)
const toSample = (light: number) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
const sinc = (x: number) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x))
const lanczos = (x: number) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0)

/** The source samples and weights of each sample of the result, for a whole axis; beyond the edge, its sample is repeated. */
function axis(from: number, to: number): { at: number[]; weights: number[] }[] {
  const widen = Math.max(1, from / to)
  return Array.from({ length: to }, (_, i) => {
    const centre = ((i + 0.5) * from) / to - 0.5
    const first = Math.ceil(centre - 3 * widen)
    const last = Math.floor(centre + 3 * widen)
    const taps = Array.from({ length: last - first + 1 }, (_, tap) => first + tap)
    const weights = taps.map((tap) => lanczos((tap - centre) / widen))
    const sum = weights.reduce((total, weight) => total + weight)
    return { at: taps.map((tap) => Math.max(0, Math.min(from - 1, tap))), weights: weights.map((weight) => weight / sum) }
  })
}

/** Lanczos-3 in double precision, in one pass over each axis, on light or on the stored samples. */
export function exactResize({ data, width, height }: Rgb, to: Size, of: 'light' | 'samples'): Rgb {
  const decode = Float64Array.from({ length: 256 }, (_, sample) => (of === 'light' ? toLight(sample / 255) : sample / 255))
  const rows = new Float64Array(to.width * height * 3)
  const across = axis(width, to.width)
  const down = axis(height, to.height)
  for (let y = 0; y < height; y++) {
    for (const [x, { at, weights }] of across.entries()) {
      for (let channel = 0; channel < 3; channel++) {
        let sum = 0
        for (let tap = 0; tap < at.length; tap++) {
          const sample = data[(y * width + (at[tap] ?? 0)) * 3 + channel] ?? 0
          sum += (weights[tap] ?? 0) * (decode[sample] ?? 0)
        }
        rows[(y * to.width + x) * 3 + channel] = sum
      }
    }
  }
  const result = new Float64Array(to.width * to.height * 3)
  const stride = to.width * 3
  for (const [y, { at, weights }] of down.entries()) {
    for (let i = 0; i < stride; i++) {
      let sum = 0
      for (let tap = 0; tap < at.length; tap++) sum += (weights[tap] ?? 0) * (rows[(at[tap] ?? 0) * stride + i] ?? 0)
      const value = Math.max(0, Math.min(1, sum))
      result[y * stride + i] = 255 * (of === 'light' ? toSample(value) : value)
    }
  }
  return { ...to, data: result }
}
