import type { Codec, Effort, EncodeSettings, Written } from '@pixelmill/codecs/codec'
import { type Header, megapixels } from '@pixelmill/codecs/pixels/header'
import type { Sharp } from 'sharp'

/** Pixels to encode, and what to keep of the source. */
export interface Edited {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number | undefined
  readonly effort?: Effort | undefined
  /** Whether the pixels have alpha; by default as the source has. */
  readonly alpha?: boolean | undefined
  /** Of one frame; the encoder's effort depends on it. */
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly header: Header
  /** Encodes one channel if the format can. */
  readonly grey: boolean
  /** The profile of the pixels, where they are not in sRGB. */
  readonly icc?: Buffer | undefined
  /** Keeps 16 bits a channel if source and format have them. */
  readonly keepDepth: boolean
}

export interface Encoded extends Written {
  readonly codec: Codec
  /** SSIMULACRA2 against the picture before it was encoded, where a score or a number of bytes was asked for. */
  readonly score?: number
  /** The uploaded file, unchanged, with all frames and pages: warnings about what was decoded do not apply. */
  readonly untouched?: true
  /** The source is HDR: whether the file is too. */
  readonly hdr?: 'kept' | 'dropped'
  /** The source has a C2PA manifest, which does not fit the new file. */
  readonly contentCredentials?: 'removed'
  /** The file holds a JPEG, which can be restored byte for byte. */
  readonly reversible?: 'jpeg'
  /** For a codec that an external program finishes: the quality to request, and what to send if that is not smaller. */
  readonly finish?: { readonly quality: number | undefined; readonly otherwise?: Buffer }
}

/** Pixels as an encoder takes them, and its settings. */
export interface EncodeJob extends Edited {
  readonly settings: EncodeSettings
}

/** The job for a picture: converts to the colour space and depth that the format can hold, on white if it has no alpha. */
export function encodeJob(picture: Edited): EncodeJob {
  const { pixels, codec, header, grey, keepDepth, alpha } = picture
  const isDeep = keepDepth && header.deep && codec.deep
  // A second background would replace the one that a step has chosen.
  const opaque = codec.alpha || alpha === false ? pixels : pixels.flatten({ background: '#fff' })
  return { ...picture, pixels: opaque.toColourspace(spaceOf(grey, isDeep)), settings: settingsFor(picture, isDeep) }
}

function spaceOf(isGrey: boolean, isDeep: boolean): string {
  if (isGrey) return isDeep ? 'grey16' : 'b-w'
  return isDeep ? 'rgb16' : 'srgb'
}

function settingsFor(picture: Edited, isDeep: boolean): EncodeSettings {
  const { quality, effort, width, height, frames, header, alpha = header.alpha, icc } = picture
  const { delay, loop, codec, photograph } = header
  return {
    quality,
    effort,
    alpha,
    megapixels: megapixels(width, height, frames),
    animation: frames > 1 ? { ...(delay && { delay }), ...(loop !== undefined && { loop }) } : undefined,
    fewColours: codec.fewColours === true,
    photograph,
    deep: isDeep,
    ...(icc && { icc }),
  }
}

export const encode = (picture: Edited): Promise<Encoded> => writeJob(encodeJob(picture))

/** Encodes with the quality that is asked for. */
export async function writeJob({ codec, pixels, settings }: EncodeJob): Promise<Encoded> {
  const file = await codec.encode(pixels, settings)
  return { ...file, codec, ...(codec.finish && { finish: { quality: settings.quality } }) }
}
