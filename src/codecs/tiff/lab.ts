import { adaptation, colorants, D50, solve, type Xyz, xyz } from '../icc/colorants.ts'
import { SRGB, sRgbCoded } from '../icc/rgb-space.ts'
import { type Layout, photometrics } from './layout.ts'

/** Linear light to sRGB (IEC 61966-2-1), 0–4095 to 0–65,535. */
const STEPS = 4_095
const curve = Uint16Array.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS
  return Math.round(65_535 * sRgbCoded(light))
})
const coded = (light: number): number => curve[Math.round(Math.min(1, Math.max(0, light)) * STEPS)] ?? 0

/** CIE 15: from the cube root scale back to light, as a share of white's. */
const light = (root: number): number => (root > 6 / 29 ? root ** 3 : (root - 4 / 29) * 3 * (6 / 29) ** 2)

/** Linear sRGB of the X, Y and Z of white, each by itself; D50, which print uses, where the file does not name its white. */
function columns(white: Layout['white']): readonly [Xyz, Xyz, Xyz] {
  const [x, y, z] = white ? xyz(white) : D50
  const seen = white ? adaptation(white) : (color: Xyz) => color
  const primaries = colorants(SRGB)
  const toRgb = (color: Xyz) => solve(primaries, seen(color))
  return [toRgb([x, 0, 0]), toRgb([0, y, 0]), toRgb([0, 0, z])]
}

/** Turns pixels of L*, a* and b* into sRGB, in place; `channels` is 3, or 4 with alpha. */
export function labToRgb(pixels: Uint16Array, channels: number, { photometric, bits, white }: Layout): void {
  // As signed numbers that count from 0 (CIELab), or shifted up by 128 (ICCLab); L* of 16-bit ICCLab ends at 65,280.
  const shifted = photometric === photometrics.iccLab
  const per = bits === 8 ? 257 : 256
  const whole = shifted && bits > 8 ? 65_280 : 65_535
  const chroma = (value: number) => {
    const steps = value / per
    if (shifted) return steps - 128
    return steps < 128 ? steps : steps - 256
  }
  const [ofX, ofY, ofZ] = columns(white)
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const lightness = ((pixels[at] ?? 0) * 100) / whole / 116 + 16 / 116
    const x = light(lightness + chroma(pixels[at + 1] ?? 0) / 500)
    const y = light(lightness)
    const z = light(lightness - chroma(pixels[at + 2] ?? 0) / 200)
    pixels[at] = coded(x * ofX[0] + y * ofY[0] + z * ofZ[0])
    pixels[at + 1] = coded(x * ofX[1] + y * ofY[1] + z * ofZ[1])
    pixels[at + 2] = coded(x * ofX[2] + y * ofY[2] + z * ofZ[2])
  }
}
