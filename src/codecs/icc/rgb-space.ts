/** x and y of CIE 1931. */
export type Chromaticity = readonly [x: number, y: number]

/** From 0–1 as coded to 0–1 in linear light, unless it says otherwise. */
export type Curve = (coded: number) => number

/** A space of three primaries, as files describe it that carry no profile. */
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

/** IEC 61966-2-1. */
export const sRgbCurve: Curve = (coded) => (coded <= 0.04045 ? coded / 12.92 : ((coded + 0.055) / 1.055) ** 2.4)

/** The way back: from 0–1 in linear light to 0–1 as coded. */
export const sRgbCoded: Curve = (light) => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)

export const gammaCurve =
  (gamma: number): Curve =>
  (coded) =>
    coded ** gamma

export const SRGB: RgbSpace = {
  red: [0.64, 0.33],
  green: [0.3, 0.6],
  blue: [0.15, 0.06],
  white: D65,
  curves: [sRgbCurve, sRgbCurve, sRgbCurve],
}
