import { compressions, formats, hasOneDepth, isOneChannel, type Layout, libvipsCompressions, photometrics } from './layout.ts'

/** Whether libvips decodes such a file correctly: measured on every combination that ImageMagick and tiffcp write. */
export function libvipsReads(layout: Layout): boolean {
  const { compression } = layout
  if (!libvipsCompressions.has(compression) || !hasOneDepth(layout)) return false
  if (compression === compressions.sgiLog || compression === compressions.sgiLog24 || isOwnLab(layout)) return true
  return readsSamples(layout) && readsJpeg(layout) && readsPlanes(layout) && readsColours(layout)
}

/** CIELAB in the form that only libvips writes, with D65 implied. Other files are read with the wrong white point. */
const isOwnLab = ({ photometric, format, bits, planar }: Layout): boolean =>
  photometric === photometrics.cieLab &&
  !planar &&
  ((format === formats.float && bits === 32) || (format === formats.signed && bits === 16))

const SINGLE_DEPTHS: readonly number[] = [1, 2, 4, 8, 16]
const DEPTHS: readonly number[] = [8, 16]

function readsSamples({ photometric, bits, samples, format }: Layout): boolean {
  const depths = isOneChannel(photometric) ? SINGLE_DEPTHS : DEPTHS
  const isWhole = bits >= 8 || samples === 1
  return depths.includes(bits) && isWhole && (format <= formats.unsigned || format === formats.undefined)
}

const readsJpeg = ({ compression, bits, alpha }: Layout): boolean =>
  compression !== compressions.jpeg || (bits === 8 && alpha === 'none')

/** WebP needs three or four samples together. */
const readsPlanes = ({ planar, tiled, photometric, compression }: Layout): boolean =>
  !planar || !(tiled || photometric === photometrics.yCbCr || compression === compressions.webp)

function readsColours({ photometric, bits, alpha, compression }: Layout): boolean {
  if (photometric === photometrics.cmyk) return bits === 8 || alpha === 'none'
  // libtiff converts YCbCr to RGB if it also decodes the JPEG; libvips treats other files as RGB.
  if (photometric === photometrics.yCbCr) return compression === compressions.jpeg
  return photometric === photometrics.rgb || isOneChannel(photometric)
}
