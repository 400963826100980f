import { sRgbCoded } from '@pixelmill/kernels/srgb'
import { adaptation, colorants, D50, solve, type Xyz, xyz } from '../icc-profile.ts'
import { SRGB } from '../rgb-space.ts'
import { type Layout, photometrics } from './layout.ts'

/** Linear light to sRGB (IEC 61966-2-1), 0–4095 to 0–65,535. */
const STEPS = 4_095
const curve = Uint16Array.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS
  return Math.round(65_535 * sRgbCoded(light))
})
const codeOf = (light: number): number => curve[(Math.min(1, Math.max(0, light)) * STEPS + 0.5) | 0] as number

/** CIE 15: from the cube root scale to light relative to white. */
const light = (root: number): number => (root > 6 / 29 ? root * root * root : (root - 4 / 29) * 3 * SQUARE)
const SQUARE = (6 / 29) ** 2

/** Linear sRGB of the X, Y and Z components of white; D50, as in print, when the file has no white point. */
function columns(white: Layout['white']): readonly [Xyz, Xyz, Xyz] {
  const [x, y, z] = white ? xyz(white) : D50
  const adapt = white ? adaptation(white) : (color: Xyz) => color
  const primaries = colorants(SRGB)
  const toRgb = (color: Xyz) => solve(primaries, adapt(color))
  return [toRgb([x, 0, 0]), toRgb([0, y, 0]), toRgb([0, 0, z])]
}

/** Converts pixels of L*, a* and b* to sRGB, in place; `channels` is 3, or 4 with alpha. */
export function labToRgb(pixels: Uint16Array, channels: number, { photometric, bits, white }: Layout): void {
  // As signed numbers that count from 0 (CIELab), or shifted up by 128 (ICCLab); L* of 16-bit ICCLab ends at 65,280.
  const isShifted = photometric === photometrics.iccLab
  const per = bits === 8 ? 257 : 256
  const whole = isShifted && bits > 8 ? 65_280 : 65_535
  const chroma = (value: number) => {
    const steps = value / per
    if (isShifted) return steps - 128
    return steps < 128 ? steps : steps - 256
  }
  const [ofX, ofY, ofZ] = columns(white)
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const lightness = ((pixels[at] as number) * 100) / whole / 116 + 16 / 116
    const x = light(lightness + chroma(pixels[at + 1] as number) / 500)
    const y = light(lightness)
    const z = light(lightness - chroma(pixels[at + 2] as number) / 200)
    pixels[at] = codeOf(x * ofX[0] + y * ofY[0] + z * ofZ[0])
    pixels[at + 1] = codeOf(x * ofX[1] + y * ofY[1] + z * ofZ[1])
    pixels[at + 2] = codeOf(x * ofX[2] + y * ofY[2] + z * ofZ[2])
  }
}

/** ITU-R BT.601, the default (TIFF 6.0, section 21). */
const LUMA = [0.299, 0.587, 0.114] as const

/** Converts pixels of Y, Cb and Cr (0–65,535) to RGB, in place; `channels` is 3, or 4 with alpha (TIFF 6.0, section 21). */
export function yCbCrToRgb(pixels: Uint16Array, channels: number, layout: Layout): void {
  const [ofRed, ofGreen, ofBlue] = lumaOf(layout)
  const [y, cb, cr] = scalesOf(layout)
  const mostRed = 2 - 2 * ofRed
  const mostBlue = 2 - 2 * ofBlue
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const light = ((pixels[at] as number) - y.black) * y.factor
    const red = light + ((pixels[at + 2] as number) - cr.black) * cr.factor * mostRed
    const blue = light + ((pixels[at + 1] as number) - cb.black) * cb.factor * mostBlue
    pixels[at] = clamp(red)
    pixels[at + 1] = clamp((light - ofRed * red - ofBlue * blue) / ofGreen)
    pixels[at + 2] = clamp(blue)
  }
}

/** What is stored of it in 16 bits is the nearest whole number. */
const clamp = (value: number): number => (value <= 0 ? 0 : value >= 65_535 ? 65_535 : value + 0.5)

function lumaOf({ luma }: Layout): readonly [red: number, green: number, blue: number] {
  const [red = 0, green = 0, blue = 0] = luma
  const isUsable = red > 0 && red < 1 && green > 0 && green < 1 && blue > 0 && blue < 1
  return isUsable ? [red, green, blue] : LUMA
}

interface Scale {
  readonly black: number
  readonly factor: number
}

/** From ReferenceBlackWhite, in values of the file's depth; for chroma, black is its zero, and its range is half. */
function scalesOf({ bits, reference }: Layout): readonly [y: Scale, cb: Scale, cr: Scale] {
  const full = 2 ** bits - 1
  const half = 2 ** (bits - 1)
  const unit = 65_535 / full
  const scale = (black: number, white: number, range: number): Scale | undefined =>
    Number.isFinite(black) && Number.isFinite(white) && white > black
      ? { black: black * unit, factor: range / (white - black) }
      : undefined
  const plain = [scale(0, full, full), scale(half, full, full - half), scale(half, full, full - half)]
  const ranges = [full, full - half, full - half].map((range, index) =>
    scale(reference[index * 2] ?? Number.NaN, reference[index * 2 + 1] ?? Number.NaN, range),
  )
  const [y, cb, cr] = ranges.every((one) => one !== undefined) ? ranges : plain
  if (!y || !cb || !cr) throw new RangeError(`YCbCr of ${bits} bits`)
  return [y, cb, cr]
}

/** Bytes of a chunk of `rows` rows stored in blocks: all Y of a block, then its Cb and Cr. */
export const blockBytes = ({ chunk, subsampling, bits }: Layout, rows: number): number =>
  Math.ceil(rows / subsampling.down) * blockRowBytes(chunk.width, subsampling, bits)

const blockRowBytes = (width: number, { across, down }: Layout['subsampling'], bits: number): number =>
  Math.ceil(width / across) * (across * down + 2) * (bits / 8)

/** Y, Cb and Cr of each pixel beside each other, from such blocks; the rows are as wide as the chunk. */
export function pixelsOfBlocks(data: Uint8Array, { chunk, subsampling, bits }: Layout, rows: number): Uint8Array {
  const { across, down } = subsampling
  const bytes = bits / 8
  const blockSize = (across * down + 2) * bytes
  const lineBytes = blockRowBytes(chunk.width, subsampling, bits)
  const out = new Uint8Array(rows * chunk.width * 3 * bytes)
  for (let row = 0, to = 0; row < rows; row++) {
    const line = (row % down) * across * bytes
    let block = Math.floor(row / down) * lineBytes
    for (let column = 0; column < chunk.width; block += blockSize) {
      const chroma = block + across * down * bytes
      const end = Math.min(column + across, chunk.width)
      for (let y = block + line; column < end; column++) {
        for (let byte = 0; byte < bytes; byte++) out[to++] = data[y++] as number
        for (let byte = 0; byte < bytes * 2; byte++) out[to++] = data[chroma + byte] as number
      }
    }
  }
  return out
}

/** Enlarges a chroma plane with rows of `width` samples to the size of its chunk by repeating samples. */
export function enlargedPlane(data: Uint8Array, { chunk, subsampling, bits }: Layout, rows: number, width: number): Uint8Array {
  const bytes = bits / 8
  const out = new Uint8Array(rows * chunk.width * bytes)
  for (let row = 0, to = 0; row < rows; row++) {
    const line = Math.floor(row / subsampling.down) * width
    for (let column = 0; column < chunk.width; column++) {
      const from = (line + Math.floor(column / subsampling.across)) * bytes
      for (let byte = 0; byte < bytes; byte++) out[to++] = data[from + byte] ?? 0
    }
  }
  return out
}
