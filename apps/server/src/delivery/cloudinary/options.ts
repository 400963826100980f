import type { StepInput } from '../dialects/sketch.ts'
import type { Gravity } from '../dialects/values.ts'

export const cropModes = [
  'scale',
  'fit',
  'limit',
  'mfit',
  'fill',
  'lfill',
  'pad',
  'lpad',
  'mpad',
  'crop',
  'thumb',
  'auto',
] as const
export type CropMode = (typeof cropModes)[number]

/** A length in pixels, or as a share of the picture. */
export interface Length {
  readonly value: number
  readonly of: 'pixels' | 'picture' | 'original'
}

/** What one component of a transformation, between two slashes, asks for. */
export interface Component {
  readonly width?: Length
  readonly height?: Length
  readonly crop?: CropMode
  readonly gravity?: Gravity | 'xy'
  /** Whether the gravity is that of faces, into which thumb would zoom. */
  readonly isFace?: boolean
  readonly x?: Length
  readonly y?: Length
  readonly ratio?: number
  readonly angle?: number
  readonly flip?: boolean
  readonly flop?: boolean
  readonly background?: string
  readonly steps?: readonly NamedStep[]
  readonly preset?: string
  readonly dpr?: number
  readonly quality?: number | 'auto'
  readonly format?: string
  readonly metadata?: 'copyright' | 'all'
  /** A path of the source that is laid over the picture, without the extension that Cloudinary leaves out. */
  readonly layer?: string
  /** Ends what is done to a layer, and places it. */
  readonly isLayerEnd?: true
  readonly isRelative?: true
  /** Percent. */
  readonly opacity?: number
  readonly border?: number
  readonly borderColour?: string
  readonly radius?: number | 'max'
  readonly trim?: number
  /** Under which it is saved; empty for the name of the original. */
  readonly fileName?: string
}

/** A step, with the parameter that asks for it. */
export interface NamedStep {
  readonly parameter: string
  readonly step: StepInput
}
