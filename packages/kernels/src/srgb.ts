/** The transfer function of sRGB (IEC 61966-2-1): from coded values 0–1 to linear light 0–1. */
export const sRgbCurve = (code: number): number => (code <= 0.04045 ? code / 12.92 : ((code + 0.055) / 1.055) ** 2.4)

/** The inverse: from linear light 0–1 to coded values 0–1. */
export const sRgbCoded = (light: number): number => (light <= 0.0031308 ? light * 12.92 : 1.055 * light ** (1 / 2.4) - 0.055)
