import type { Chromaticity } from '../rgb-space.ts'
import type { Directory } from './directory.ts'

/** What the numbers of a pixel mean: PhotometricInterpretation (TIFF 6.0, section 8, and its supplements). */
export const photometrics = { minIsWhite: 0, minIsBlack: 1, rgb: 2, palette: 3, cmyk: 5, yCbCr: 6, cieLab: 8, iccLab: 9 } as const
/** SampleFormat (TIFF 6.0, section 19). */
export const formats = { unsigned: 1, signed: 2, float: 3, undefined: 4 } as const
/** Compression: the values that this code names. */
export const compressions = {
  none: 1,
  oldJpeg: 6,
  jpeg: 7,
  sgiLog: 34_676,
  sgiLog24: 34_677,
  zstandard: 50_000,
  webp: 50_001,
} as const
/** Those that libvips' libtiff supports: also CCITT, Deflate, LZW, PackBits, NeXT and ThunderScan. */
export const libvipsCompressions: ReadonlySet<number> = new Set([
  compressions.none,
  2,
  3,
  4,
  5,
  compressions.jpeg,
  8,
  32_766,
  32_771,
  32_773,
  32_809,
  32_946,
  compressions.sgiLog,
  compressions.sgiLog24,
  compressions.webp,
])
/** Predictor (TIFF 6.0, section 14, and Adobe's Technical Note 3). */
export const predictors = { none: 1, difference: 2, floatingPoint: 3 } as const

/** How the pixels of the first picture are stored. */
export interface Layout {
  readonly littleEndian: boolean
  readonly width: number
  readonly height: number
  /** Bits of each sample; files in which they differ are rejected. */
  readonly depths: readonly number[]
  readonly bits: number
  readonly format: number
  /** Samples of a pixel, including extra channels. */
  readonly samples: number
  /** The samples of its colour. */
  readonly colours: number
  readonly alpha: 'none' | 'straight' | 'premultiplied'
  readonly photometric: number | undefined
  readonly compression: number
  /** The depth of samples in lossless JPEG, which are decoded to the 16 bits that `bits` says. */
  readonly losslessBits?: number
  readonly predictor: number
  /** Each sample is in a separate plane; some writers set this for one sample, too. */
  readonly planar: boolean
  readonly tiled: boolean
  /** Size of a tile, or of a strip, in pixels. */
  readonly chunk: { readonly width: number; readonly height: number }
  readonly offsets: readonly number[]
  readonly byteCounts: readonly number[]
  /** The lowest bit of a byte is first. */
  readonly reversedBits: boolean
  /** Orientation as in EXIF, 1–8. */
  readonly orientation: number
  readonly icc: Buffer | undefined
  /** WhitePoint of CIELAB, as x and y. */
  readonly white: Chromaticity | undefined
  /** Pixels that share one pair of chroma samples, across and down; 1 and 1 unless the colours are YCbCr. */
  readonly subsampling: { readonly across: number; readonly down: number }
  /** YCbCrCoefficients: the shares of red, green and blue in luma. */
  readonly luma: readonly number[]
  /** ReferenceBlackWhite: the codes of black and white for Y, Cb and Cr; empty when unspecified. */
  readonly reference: readonly number[]
  /** ColorMap: all reds, all greens, all blues, in 16 bits. */
  readonly palette: readonly number[]
  /** JPEGTables, shared by all JPEG streams of the file. */
  readonly jpegTables: Buffer | undefined
}

/** Whether all samples have as many bits. */
export const hasOneDepth = ({ depths, bits }: Pick<Layout, 'depths' | 'bits'>): boolean =>
  bits > 0 && depths.every((depth) => depth === bits)

/** Samples of a colour. */
export const coloursOf = (photometric: number | undefined): number => colours[photometric ?? -1] ?? 3

/** Grey, or a number of the palette. */
export const isOneChannel = (photometric: number | undefined): boolean => coloursOf(photometric) === 1

const colours: Readonly<Record<number, number>> = {
  [photometrics.minIsWhite]: 1,
  [photometrics.minIsBlack]: 1,
  [photometrics.palette]: 1,
  [photometrics.cmyk]: 4,
}

/** Field numbers of TIFF 6.0, with the defaults of its section 8. Undefined when the size is missing. */
export function layoutOf(directory: Directory): Layout | undefined {
  const number = <Otherwise>(tag: number, otherwise: Otherwise) => directory.numbers(tag)[0] ?? otherwise
  const width = number(256, 0)
  const height = number(257, 0)
  if (width === 0 || height === 0) return undefined
  const samples = number(277, 1)
  const depths = directory.numbers(258)
  const photometric = number(262, undefined)
  const isTiled = directory.numbers(322).length > 0
  const chunk = isTiled
    ? { width: number(322, 0), height: number(323, 0) }
    : { width, height: Math.min(height, number(278, height) || height) }
  return {
    littleEndian: directory.littleEndian,
    width,
    height,
    samples,
    photometric,
    tiled: isTiled,
    chunk,
    depths,
    bits: depths[0] ?? 1,
    format: number(339, formats.unsigned),
    colours: Math.min(samples, (photometric !== undefined && colours[photometric]) || 3),
    alpha: alphaOf(samples - ((photometric !== undefined && colours[photometric]) || 3), number(338, undefined)),
    compression: number(259, compressions.none),
    predictor: number(317, 1),
    planar: number(284, 1) === 2,
    offsets: directory.numbers(isTiled ? 324 : 273),
    byteCounts: directory.numbers(isTiled ? 325 : 279),
    reversedBits: number(266, 1) === 2,
    orientation: number(274, 1),
    icc: directory.bytes(34_675),
    white: whiteOf(directory.numbers(318)),
    subsampling: photometric === photometrics.yCbCr ? subsamplingOf(directory.numbers(530)) : { across: 1, down: 1 },
    luma: directory.numbers(529),
    reference: directory.numbers(532),
    palette: photometric === photometrics.palette ? directory.numbers(320) : [],
    jpegTables: directory.bytes(347),
  }
}

/** YCbCrSubSampling; 2 and 2 by default (TIFF 6.0, section 21). */
const subsamplingOf = ([across = 2, down = 2]: readonly number[]): Layout['subsampling'] => ({ across, down })

/**
 * ExtraSamples: 1 is premultiplied alpha, 2 is alpha, and 0 says that it is something else, such as a spot colour or a mask. Without
 * the field, which old writers left out, a further channel is alpha, as for libvips.
 */
const alphaOf = (further: number, kind: number | undefined): Layout['alpha'] =>
  further < 1 || kind === UNSPECIFIED ? 'none' : kind === 1 ? 'premultiplied' : 'straight'

const UNSPECIFIED = 0

const whiteOf = ([x = 0, y = 0]: readonly number[]): Layout['white'] => (x > 0 && y > 0 && x + y < 1 ? [x, y] : undefined)
