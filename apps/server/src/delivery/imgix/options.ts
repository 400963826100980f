import type { Gravity } from '../dialects/values.ts'

export const fits = ['clip', 'crop', 'max', 'min', 'fill', 'fillmax', 'scale'] as const
export type ImgixFit = (typeof fits)[number]

/** A length in pixels, or below 1 a share of the original’s. */
export type Length = number

/** What the parameters of an imgix URL ask for. */
export interface ImgixOptions {
  readonly width?: Length
  readonly height?: Length
  readonly leastWidth?: number
  readonly leastHeight?: number
  readonly mostWidth?: number
  readonly mostHeight?: number
  readonly dpr?: number
  readonly fit?: ImgixFit
  readonly ratio?: number
  readonly crop?: CropMode
  readonly focusX?: number
  readonly focusY?: number
  readonly focusZoom?: number
  readonly rect?: Rect
  readonly trim?: true
  readonly trimTolerance?: number
  /** Pixels of the border that are kept. */
  readonly trimPadding?: number
  readonly flop?: boolean
  readonly flip?: boolean
  /** Degrees counter-clockwise. */
  readonly rotate?: number
  /** In place of that of EXIF. */
  readonly orient?: number
  readonly contrast?: number
  readonly vibrance?: number
  readonly sepia?: number
  readonly isNegative?: boolean
  readonly blockSize?: number
  readonly mask?: 'corners' | 'ellipse'
  readonly cornerRadius?: number
  readonly brightness?: number
  readonly saturation?: number
  readonly hue?: number
  readonly grey?: boolean
  readonly tint?: string
  readonly sharpen?: number
  readonly unsharpAmount?: number
  readonly unsharpRadius?: number
  readonly blur?: number
  readonly background?: string
  readonly fillColour?: string
  readonly pad?: number
  /** With fit=fillmax the canvas is not larger than the original. */
  readonly isCanvasBounded?: true
  readonly padTop?: number
  readonly padRight?: number
  readonly padBottom?: number
  readonly padLeft?: number
  readonly border?: number
  readonly borderColour?: string
  /** A path of the source, or a URL below it. */
  readonly mark?: string
  readonly markAlign?: Gravity
  readonly markAlpha?: number
  readonly markWidth?: Length
  readonly markHeight?: Length
  /** Percent of the picture’s width. */
  readonly markScale?: number
  readonly markPadding?: number
  readonly markX?: number
  readonly markY?: number
  readonly format?: string
  readonly isAuto?: boolean
  readonly quality?: number
  readonly lossless?: boolean
  /** Under which it is saved. */
  readonly fileName?: string
  /** Seconds since 1970. */
  readonly expires?: number
}

/** Where fit=crop cuts: a side or corner, what is salient, or the focal point. */
export type CropMode = Exclude<Gravity, object> | 'focalpoint'

/** Offsets and lengths in pixels, below 1 as shares; or a side. */
export interface Rect {
  readonly x: number | 'start' | 'middle' | 'end'
  readonly y: number | 'start' | 'middle' | 'end'
  readonly width: Length
  readonly height: Length
}
