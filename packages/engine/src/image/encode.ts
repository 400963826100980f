import type { Codec, EncodeSettings, Written } from '@pixelmill/codecs/codec'
import { type Header, megapixels } from '@pixelmill/codecs/pixels/header'
import type { Sharp } from 'sharp'

/** Pixels to encode, and what to keep of the source. */
export interface Edited {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number | undefined
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

/** Converts to the colour space and depth that the format can hold: sRGB, on white if it has no alpha. */
export function prepare({ pixels, codec, header, grey, keepDepth }: Edited): Sharp {
  const deep = isDeep({ header, codec, keepDepth })
  const spaces = deep ? ({ grey: 'grey16', colour: 'rgb16' } as const) : ({ grey: 'b-w', colour: 'srgb' } as const)
  const opaque = codec.alpha ? pixels : pixels.flatten({ background: '#fff' })
  return opaque.toColourspace(grey ? spaces.grey : spaces.colour)
}

const isDeep = ({ header, codec, keepDepth }: Pick<Edited, 'header' | 'codec' | 'keepDepth'>): boolean =>
  keepDepth && header.deep && codec.deep

export function settingsFor({
  quality,
  width,
  height,
  frames,
  header,
  alpha = header.alpha,
  icc,
  ...edited
}: Edited): EncodeSettings {
  const { delay, loop, codec } = header
  const photograph = header.photograph !== 'no'
  const animation = frames > 1 ? { ...(delay && { delay }), ...(loop !== undefined && { loop }) } : undefined
  const fewColours = codec.fewColours === true
  const deep = isDeep({ header, ...edited })
  return {
    quality,
    alpha,
    megapixels: megapixels(width, height, frames),
    animation,
    fewColours,
    photograph,
    deep,
    ...(icc && { icc }),
  }
}

export async function encode(edited: Edited): Promise<Encoded> {
  const { codec, quality } = edited
  const written = await codec.encode(prepare(edited), settingsFor(edited))
  return { ...written, codec, ...(codec.finish && { finish: { quality } }) }
}
