import { CENTER, type Direction, type Gravity, type PlacedGravity } from './gravity.ts'

export const resizingTypes = ['fit', 'fill', 'fill-down', 'force', 'auto'] as const
export type ResizingType = (typeof resizingTypes)[number]

/** What the options of an imgproxy URL ask for. */
export interface ImgproxyOptions {
  readonly type: ResizingType
  /** 0 follows from the other side. */
  readonly width: number
  readonly height: number
  readonly minWidth: number
  readonly minHeight: number
  readonly zoom: { readonly x: number; readonly y: number }
  readonly dpr: number
  readonly enlarge: boolean
  readonly extend: Extension | undefined
  readonly extendRatio: Extension | undefined
  readonly gravity: Gravity
  readonly crop: Crop | undefined
  readonly trim: Trim | undefined
  readonly padding: Padding
  readonly autoRotate: boolean
  /** 0, 90, 180 or 270. */
  readonly rotate: number
  readonly flop: boolean
  readonly flip: boolean
  readonly background: string | undefined
  readonly blur: number
  readonly sharpen: number
  readonly pixelate: number
  readonly watermark: Mark | undefined
  readonly stripsMetadata: boolean
  readonly keepsCopyright: boolean
  readonly stripsProfile: boolean
  readonly keepsHdr: boolean
  /** 0 is the default of the server. */
  readonly quality: number
  readonly formatQuality: Readonly<Record<string, number>>
  readonly maxBytes: number
  readonly format: string | undefined
  /** Formats whose originals are sent as they are. */
  readonly skips: readonly string[]
  readonly raw: boolean
  /** Seconds since 1970. */
  readonly expires: number | undefined
  /** Makes it another image for caches. */
  readonly buster: string | undefined
  /** Without an extension. */
  readonly fileName: string | undefined
  readonly isAttachment: boolean
}

/** Where the picture lies on its larger canvas. */
export interface Extension {
  readonly gravity: PlacedGravity
}

/** Sides in pixels from 1 on, below 1 as shares of the picture, 0 for all of it. */
interface Crop {
  readonly width: number
  readonly height: number
  readonly gravity: Gravity | undefined
}

export interface Trim {
  readonly threshold: number
  /** Red, green and blue; undefined for that of the top-left pixel. */
  readonly colour: readonly [number, number, number] | undefined
  readonly equalAcross: boolean
  readonly equalDown: boolean
}

export interface Padding {
  readonly top: number
  readonly right: number
  readonly bottom: number
  readonly left: number
}

export interface Mark {
  /** 0 to 1. */
  readonly opacity: number
  readonly position: Direction | 'repeat'
  /** Offsets, or with `repeat` the space between the tiles. */
  readonly x: number
  readonly y: number
  /** Share of the picture into which it is fitted; 0 is its own size. */
  readonly scale: number
}

export const DEFAULTS: ImgproxyOptions = {
  type: 'fit',
  width: 0,
  height: 0,
  minWidth: 0,
  minHeight: 0,
  zoom: { x: 1, y: 1 },
  dpr: 1,
  enlarge: false,
  extend: undefined,
  extendRatio: undefined,
  gravity: CENTER,
  crop: undefined,
  trim: undefined,
  padding: { top: 0, right: 0, bottom: 0, left: 0 },
  autoRotate: true,
  rotate: 0,
  flop: false,
  flip: false,
  background: undefined,
  blur: 0,
  sharpen: 0,
  pixelate: 0,
  watermark: undefined,
  stripsMetadata: true,
  keepsCopyright: true,
  stripsProfile: true,
  keepsHdr: true,
  quality: 0,
  formatQuality: {},
  maxBytes: 0,
  format: undefined,
  skips: [],
  raw: false,
  expires: undefined,
  buster: undefined,
  fileName: undefined,
  isAttachment: false,
}
