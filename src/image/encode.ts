import type { Sharp } from 'sharp'
import type { Codec, EncodeSettings } from '../codecs/codec.ts'
import type { Written } from '../codecs/written.ts'
import { type Header, megapixels } from './header.ts'

/** Pixels ready to be written, and what is to be kept of the source. */
export interface Edited {
  readonly pixels: Sharp
  readonly codec: Codec
  readonly quality: number | undefined
  /** Has transparency, where the source does not or it is not as the source's. */
  readonly alpha?: boolean | undefined
  /** Size of one frame, for the choice of effort. */
  readonly width: number
  readonly height: number
  readonly frames: number
  readonly header: Header
  /** Written as one channel where the format can. */
  readonly grey: boolean
  /** Keeps 16 bits a channel where source and format have them. */
  readonly keepDepth: boolean
}

export interface Encoded extends Written {
  readonly codec: Codec
  /** The file as it came, with all of its frames and pages: warnings of what was opened of it do not apply. */
  readonly untouched?: true
  /** For a codec with a program that finishes it: the quality to ask for, and what to send where that comes out no smaller. */
  readonly finish?: { readonly quality: number | undefined; readonly otherwise?: Buffer }
}

/** Pixels in the colour space, depth and animation that the format is to hold: sRGB, white where it has no alpha. */
export function prepare({ pixels, codec, header, grey, keepDepth }: Edited): Sharp {
  const deep = keepDepth && header.deep && codec.deep
  const spaces = deep ? ({ grey: 'grey16', colour: 'rgb16' } as const) : ({ grey: 'b-w', colour: 'srgb' } as const)
  const opaque = codec.alpha ? pixels : pixels.flatten({ background: '#fff' })
  return opaque.toColourspace(grey ? spaces.grey : spaces.colour)
}

export function settingsFor({ quality, width, height, frames, header, alpha = header.alpha }: Edited): EncodeSettings {
  const { delay, loop, codec } = header
  const animation = frames > 1 ? { ...(delay && { delay }), ...(loop !== undefined && { loop }) } : undefined
  const fewColours = codec.fewColours === true
  return { quality, alpha, megapixels: megapixels(width, height, frames), animation, fewColours }
}

export async function encode(edited: Edited): Promise<Encoded> {
  const { codec, quality } = edited
  const written = await codec.encode(prepare(edited), settingsFor(edited))
  return { ...written, codec, ...(codec.finish && { finish: { quality } }) }
}
