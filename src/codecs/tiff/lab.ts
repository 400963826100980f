import { photometrics } from './layout.ts'

/** Linear light to sRGB (IEC 61966-2-1), 0–4095 to 0–65,535. */
const STEPS = 4_095
const curve = Uint16Array.from({ length: STEPS + 1 }, (_, step) => {
  const light = step / STEPS
  return Math.round(65_535 * (light <= 0.003_130_8 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055))
})
const coded = (light: number): number => curve[Math.round(Math.min(1, Math.max(0, light)) * STEPS)] ?? 0

const [D50_X, D50_Z] = [0.9642, 0.8249]
/** CIE 15: from the cube root scale back to light. */
const light = (root: number): number => (root > 6 / 29 ? root ** 3 : (root - 4 / 29) * 3 * (6 / 29) ** 2)

/** Turns pixels of L*, a* and b* under D50 into sRGB, in place; `channels` is 3, or 4 with alpha. */
export function labToRgb(pixels: Uint16Array, channels: number, photometric: number | undefined, bits: number): void {
  // As signed numbers that count from 0 (CIELab), or shifted up by 128 (ICCLab); L* of 16-bit ICCLab ends at 65,280.
  const shifted = photometric === photometrics.iccLab
  const per = bits === 8 ? 257 : 256
  const whole = shifted && bits > 8 ? 65_280 : 65_535
  const chroma = (value: number) => {
    const steps = value / per
    if (shifted) return steps - 128
    return steps < 128 ? steps : steps - 256
  }
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const y = ((pixels[at] ?? 0) * 100) / whole / 116 + 16 / 116
    const a = chroma(pixels[at + 1] ?? 0)
    const b = chroma(pixels[at + 2] ?? 0)
    const [X, Y, Z] = [D50_X * light(y + a / 500), light(y), D50_Z * light(y - b / 200)]
    // D50 to sRGB's primaries under D65, by Bradford.
    pixels[at] = coded(3.1338561 * X - 1.6168667 * Y - 0.4906146 * Z)
    pixels[at + 1] = coded(-0.9787684 * X + 1.9161415 * Y + 0.033454 * Z)
    pixels[at + 2] = coded(0.0719453 * X - 0.2289914 * Y + 1.4052427 * Z)
  }
}
