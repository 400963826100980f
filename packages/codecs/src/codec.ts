import type { Sharp } from 'sharp'
import type { WarningName } from './contract/warnings.ts'
import type { GainMapPlace } from './hdr/values.ts'
import type { FormatName, ImageFormat } from './image-formats.ts'
import type { Container, DensityPlace } from './metadata/blocks.ts'
import type { ProgramName, Programs } from './programs.ts'
import type { ColourSamples, Reader } from './reader.ts'
import type { RgbSpace } from './rgb-space.ts'
import type { Curve, EffortTable } from './scales.ts'
import { withoutDensity } from './without-density.ts'

/** How long an encoder may look for fewer bytes: `fast` takes the least CPU, `small` the fewest bytes. */
export const efforts = ['fast', 'balanced', 'small'] as const
export type Effort = (typeof efforts)[number]

export interface EncodeSettings {
  /** 1–100 on one perceptual scale for all formats; undefined for the format's default. */
  readonly quality: number | undefined
  /** `balanced` by default. Formats that are written in one way do not have it. */
  readonly effort?: Effort | undefined
  /** Megapixels to be encoded, over all frames; the effort depends on it. */
  readonly megapixels: number
  /** The pixels have an alpha channel. */
  readonly alpha?: boolean
  readonly animation: Animation | undefined
  /** The source has at most 256 colours a frame: lossless is then often smaller. */
  readonly fewColours?: boolean
  /** The source is probably a photograph. */
  readonly photograph?: boolean
  /** The pixels have 16 bits a channel. */
  readonly deep?: boolean
  /** The ICC profile of the pixels, where it is not sRGB: for a format whose files cannot get it afterwards. */
  readonly icc?: Buffer
}

export interface OptimizeSettings extends EncodeSettings {
  readonly quality: number
  /** No transparency and 8 bits a channel, so that JPEG data can hold it. */
  readonly plain: boolean
  /** Has 16 bits a channel, which are kept. */
  readonly deep: boolean
  /** The uploaded file, its metadata removed where possible; undefined when it was of another format. */
  readonly source: Written | undefined
}

/** Milliseconds of each frame, and how often to play (0: for ever). */
export interface Animation {
  readonly delay?: number[]
  readonly loop?: number
}

/** Encodings by level, a number of the encoder's own: a higher level is closer to the source and larger. */
export interface Graded {
  /** Where the search begins, and its first step. */
  readonly levels: { readonly min: number; readonly guess: number; readonly max: number; readonly step: number }
  /** How many levels may be tried within the time for this size. */
  readonly tries: number
  write(level: number): Promise<Written>
  /** Writes other pixels, which stand for the picture; absent where the file does not depend on them alone. */
  writeSample?(sample: Sharp, level: number): Promise<Written>
  /**
   * The plain encoding, which defines the quality, of the picture or of a sample: written if it is small enough on the sample, or if no
   * level is good enough.
   */
  writePlain?(sample?: Sharp): Promise<Written>
  /** The same pixels in fewer bytes, for the level that was chosen. */
  polish?(file: Written): Promise<Written>
}

/** The settings with which `encode` writes, by the encoder's own level: a higher one is closer to the source and larger. */
export interface Levels {
  readonly min: number
  readonly max: number
  /** Median SSIMULACRA2 of photographs by level; absent where a search for a score is not offered. */
  readonly scores?: Curve
  /** Ways of writing between which scores jump, fewest bytes first; absent where a level has only one. */
  modes?(settings: Omit<EncodeSettings, 'quality'>): readonly Mode[]
  /**
   * By how much a sample of tiles, one below the other, scores lower than its picture: its encoder predicts less at their edges. The
   * mean of 12 photographs at two sizes.
   */
  readonly tilesBelow?: number
  /** The level of a quality; it depends on the size. */
  of(quality: number, settings: Pick<EncodeSettings, 'megapixels' | 'animation' | 'effort'>): number
  write(pixels: Sharp, settings: Omit<EncodeSettings, 'quality'>, level: number): Promise<Written>
}

/** Levels whose scores grow without a jump. */
export interface Mode {
  readonly min: number
  readonly max: number
  /** Median SSIMULACRA2 of photographs by level. */
  readonly scores: Curve
  write: Levels['write']
}

/** What an animation says of itself. */
export interface Timing {
  readonly frames: number
  /** Of all frames. */
  readonly durationMs: number
}

/** An encoding to try, which gets the size to beat and may give up; or a range of levels. */
export type Attempt = ((toBeat: number) => Promise<Written | undefined>) | Graded

/** A file whose missing end was added, whose cut parts were removed, or whose fault was mended. */
export interface Completed {
  readonly file: Buffer
  /** What the answer lacks, or the file. */
  readonly warning?: WarningName
}

/** Channels in limited range: black is 16 and white 235 in 8 bits. */
export interface LimitedRange {
  readonly grey: boolean
  readonly alpha: boolean
}

/**
 * What a file takes of a core, at the efforts that `encode` and `candidates` choose: in seconds a megapixel over all frames, of real
 * photographs and drawn pictures of 0.5 to 12 megapixels, on one core of an AMD EPYC (2 GHz). Where pictures differ, closer to the slow
 * ones.
 */
export interface Cost {
  readonly decoding: number
  readonly encoding: number
  /** Of encoding, with an effort other than `balanced`; without, all take as long. */
  readonly fast?: number
  readonly small?: number
  readonly optimizing: number
  /** Where a quality below 100 reduces the colours: of encoding with one. */
  readonly palette?: number
  /** Of encoding an animation, where that takes longer than a still. */
  readonly animating?: number
  /** Most milliseconds of encoding, by megapixels; and of encoding exactly, of photographs. Absent where no trial has been measured. */
  readonly trial?: EffortTable
  readonly exactTrial?: EffortTable
}

/** What the header of a usual file says: 8 bits a channel, one frame, no alpha. */
export interface UsualHeader {
  /** As stored, before `orientation`. */
  readonly width: number
  readonly height: number
  /** 1–8, of EXIF. */
  readonly orientation: number
  /** One channel. */
  readonly grey: boolean
  /** Has an ICC profile. */
  readonly profile: boolean
}

/** What the service does with one image format. Code reads these fields and never tests for a format by name. */
export interface Codec extends ImageFormat {
  readonly name: FormatName
  readonly alpha: boolean
  readonly animated: boolean
  /** Its frames have at most 256 colours. */
  readonly fewColours?: true
  /** 16 bits a channel survive the operations that keep the format. */
  readonly deep: boolean
  /** Longest side in pixels that the encoder writes. */
  readonly maxSide: number
  /** Most pixels over all frames that are read and written, where that is fewer than of other formats. */
  readonly maxPixels?: number
  /** Most pixels that fit a renderer's memory with transparency, where that is fewer than without. */
  readonly maxAlphaPixels?: number
  /** Whether a file has this format's signature; `head` is its first 64 bytes or fewer. */
  matches(head: Buffer): boolean
  /**
   * What a file has more of than a decoder is given, such as `100 scans`: counted without decoding, in a few milliseconds for
   * the largest file; undefined where it has no such thing. Damage ends the count.
   */
  excess?(bytes: Buffer): string | undefined
  /** The colour space of a file without an ICC profile, where libvips ignores it; undefined for sRGB. */
  spaceOf?(bytes: Buffer): RgbSpace | undefined
  /** The header of a file that libvips decodes, read here; undefined of an unusual one, which libvips opens. */
  usualHeader?(bytes: Buffer): UsualHeader | undefined
  /** The code point of the transfer function (H.273, table 3) of a file without an ICC profile. */
  transferOf?(bytes: Buffer): number | undefined
  /**
   * What is decoded of a file that lacks its end, or that libvips would misread for a fault which viewers tolerate; undefined for a sound
   * file, and for one that lacks more.
   */
  completed?(bytes: Buffer): Completed | undefined
  /**
   * A variant of a completed file, for whose missing rows libvips has a warning; undefined where its decoder fails by itself.
   */
  rowsTest?(completeFile: Buffer): Buffer
  /** Whether a file with this format's signature is of another format, which libvips would read all the same. */
  isOther?(bytes: Buffer): boolean
  /** Channels in limited range that libvips takes for full range; undefined when there are none. */
  limitedRangeOf?(bytes: Buffer): LimitedRange | undefined
  /** Whether the decoder can give this file at a smaller size, for a fraction of the time. */
  reducesWhileDecoding?(bytes: Buffer): boolean
  /** Whether a file probably holds a photograph and not a drawing or text, as far as its format and its size tell; by default it does not. */
  photographIn?(bytes: Buffer): boolean
  /** For a format that libvips cannot open. */
  readonly reader?: Reader
  /** For a format that libvips mostly opens: the reader of a file that it refuses or decodes wrongly. */
  readerOf?(bytes: Buffer): Reader | undefined
  /**
   * The samples of a file that libvips would decode to the same ones, but slower: as they are stored, neither turned upright nor
   * converted. Undefined of any other file, about which libvips decides.
   */
  samplesOf?(bytes: Buffer): ColourSamples | undefined
  /** Name of the loader with which libvips opens it. */
  readonly loader?: string
  readonly cost: Cost
  /** Where its files have EXIF, XMP, IPTC and their profile; absent where none is read: a GIF's comments, a BMP's profile. */
  readonly container?: Container
  /** Whether a file has a C2PA manifest. */
  isManifestIn?(file: Buffer): boolean
  readonly density?: DensityPlace
  readonly gainMap?: GainMapPlace
  /** The quality of 1–100 with which a file was written, where it tells. */
  qualityOf?(bytes: Buffer): number
  /** The quality at which a picture that was improved is written; absent for a format that is then written without loss. */
  readonly improvedQuality?: number
  /** Its pictures mostly have flat colours, which JPEG would degrade. */
  readonly isMostlyFlat?: true
  /** The codec that writes the format on this machine; undefined where none does. By default it is this one. */
  writer?(programs: Programs): Codec | undefined
  /** For a format that can hold a file of another one, which is then not encoded again. */
  readonly packing?: { readonly source: FormatName; codec(): Codec }
  /** `encode` writes a PNG that this program converts outside the renderer, which may start no programs. */
  readonly finish?: ProgramName
  encode(pixels: Sharp, settings: EncodeSettings): Promise<Written>
  /** Undefined where neither a score nor a number of bytes can be asked for. */
  readonly levels?: Levels
  /** The encodings that optimize tries, cheap ones first; the smallest of sufficient quality is sent. */
  candidates(pixels: Sharp, settings: OptimizeSettings): readonly Attempt[]
  /** Writes every pixel as it is, 8 bits a channel; undefined where the format cannot. */
  encodeExactly?(pixels: Sharp, settings: Omit<EncodeSettings, 'quality'>): Promise<Written>
  /** Whether the file was written with lossy compression. */
  lossy(bytes: Buffer): boolean
  /** The frames of an animation of which only the first is decoded; undefined of a still picture. */
  timingOf?(bytes: Buffer): Timing | undefined
  /** The warning when the file has more pages or frames than are decoded. */
  moreInside?(bytes: Buffer): WarningName | undefined
  /** The file without EXIF, XMP and comments, its pixel data unchanged; undefined for a format without metadata. */
  strip?(bytes: Buffer): Buffer
}

/** A finished file and the size of one of its frames. */
export interface Written {
  readonly bytes: Buffer
  readonly width: number
  readonly height: number
}

/** Runs the pipeline: decoding, editing and encoding happen here. */
export async function writeFile(encoder: Sharp): Promise<Written> {
  const { data, info } = await encoder.toBuffer({ resolveWithObject: true })
  return { bytes: withoutDensity(data, info.format), width: info.width, height: info.pageHeight ?? info.height }
}
