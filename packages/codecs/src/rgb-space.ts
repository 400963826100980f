import { sRgbCurve } from '@pixelmill/kernels/srgb'

/** x and y of CIE 1931. */
export type Chromaticity = readonly [x: number, y: number]

/** From coded values 0–1 to linear light 0–1 by default. */
export type Curve = (code: number) => number

/** An RGB space as files without an ICC profile describe it. */
export interface RgbSpace {
  readonly red: Chromaticity
  readonly green: Chromaticity
  readonly blue: Chromaticity
  readonly white: Chromaticity
  /** One for each channel: red, green, blue. */
  readonly curves: readonly [Curve, Curve, Curve]
}

/** CIE standard illuminant D65, as BT.709 and sRGB round it. */
export const D65: Chromaticity = [0.3127, 0.329]

export const gammaCurve =
  (gamma: number): Curve =>
  (code) =>
    code ** gamma

export const SRGB: RgbSpace = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
  curves: [sRgbCurve, sRgbCurve, sRgbCurve],
}

/** Coding-independent code points (ITU-T H.273), by which a file without an ICC profile names its colour space. */
export interface Cicp {
  readonly primaries: number
  readonly transfer: number
}

type Primaries = readonly [red: Chromaticity, green: Chromaticity, blue: Chromaticity, white: Chromaticity]

/** H.273, table 2: 1 is BT.709, as sRGB. Others are treated as 1; those of PAL and NTSC hardly differ. */
const primaries: Readonly<Record<number, Primaries>> = {
  1: [[0.64, 0.33], [0.3, 0.6], [0.15, 0.06], D65],
  // BT.2020.
  9: [[0.708, 0.292], [0.17, 0.797], [0.131, 0.046], D65],
  // DCI-P3 and Display P3.
  11: [
    [0.68, 0.32],
    [0.265, 0.69],
    [0.15, 0.06],
    [0.314, 0.351],
  ],
  12: [[0.68, 0.32], [0.265, 0.69], [0.15, 0.06], D65],
}

/** Luminance of diffuse white in HDR signals, in cd/m² (ITU-R BT.2408, 2.1). */
const HDR_WHITE = 203
/** Tones up to here are unchanged; brighter ones are compressed into the rest. */
const SHOULDER = 0.6

/** From unbounded light relative to diffuse white to 0–1. */
const toneMap = (light: number): number =>
  light <= SHOULDER ? light : SHOULDER + (1 - SHOULDER) * (1 - Math.exp(-(light - SHOULDER) / (1 - SHOULDER)))

/** SMPTE ST 2084, eq. 4.1: from the signal to up to 10,000 cd/m². */
const perceptualQuantizer: Curve = (code) => {
  const m1 = 2610 / 16_384
  const m2 = (2523 / 4096) * 128
  const c1 = 3424 / 4096
  const c2 = (2413 / 4096) * 32
  const c3 = (2392 / 4096) * 32
  const power = code ** (1 / m2)
  return toneMap((10_000 * (Math.max(0, power - c1) / (c2 - c3 * power)) ** (1 / m1)) / HDR_WHITE)
}

/** ITU-R BT.2100, tables 5: inverse OETF, then the system gamma of a 1,000 cd/m² display, channel by channel. */
const hybridLogGamma: Curve = (code) => {
  const a = 0.178_832_77
  const b = 0.284_668_92
  const c = 0.559_910_73
  const scene = code <= 0.5 ? code ** 2 / 3 : (Math.exp((code - c) / a) + b) / 12
  return toneMap((1000 * scene ** 1.2) / HDR_WHITE)
}

/** H.273, table 3. The curves of BT.709, 601 and 2020 (1, 6, 14, 15) are camera curves, which displays show like sRGB. */
const transfers: Readonly<Record<number, Curve>> = {
  4: gammaCurve(2.2),
  5: gammaCurve(2.8),
  8: (code) => code,
  16: perceptualQuantizer,
  17: gammaCurve(2.6),
  18: hybridLogGamma,
}

/** The space of the code points; undefined for sRGB or unspecified. */
export function rgbSpaceOf(cicp: Cicp): RgbSpace | undefined {
  const ownPrimaries = cicp.primaries === 1 ? undefined : primaries[cicp.primaries]
  const curve = transfers[cicp.transfer]
  if (!ownPrimaries && !curve) return undefined
  const [red, green, blue, white] = ownPrimaries ?? (primaries[1] as Primaries)
  const each = curve ?? sRgbCurve
  return { red, green, blue, white, curves: [each, each, each] }
}
