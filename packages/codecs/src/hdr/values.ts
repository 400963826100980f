import type { Sharp } from 'sharp'
import { z } from 'zod'

/** Real files have up to 8 stops: more is damage. */
const stops = z.number().min(-32).max(32)
const offset = z.number().min(-16).max(16)

const gainChannel = z
  .object({
    /** The gain of samples 0 and 1, in stops. */
    min: stops,
    max: stops,
    gamma: z.number().gt(0).lt(100),
    /** Added to linear light before the gain is applied, and taken off afterwards. */
    offsetSdr: offset,
    offsetHdr: offset,
  })
  .refine(({ min, max }) => max >= min)

/** What the samples of a gain map mean (ISO 21496-1, 5.2): for each of one or three channels, in logarithms to base 2. */
export const gainMapValues = z
  .object({
    channels: z.array(gainChannel).refine(({ length }) => length === 1 || length === 3),
    /** Headroom of the display, in stops, up to which the map has no effect, and from which it has all of it. */
    capacityMin: stops,
    capacityMax: stops,
    /** The picture in the file is the HDR one, and the map leads to SDR. */
    baseIsHdr: z.boolean(),
  })
  .refine(({ capacityMin, capacityMax }) => capacityMax > capacityMin)

/** A gain map as it is in a file. */
export interface StoredMap {
  /** The map, as a file of its own. */
  readonly picture: Buffer
  /** Of ISO or Adobe; of an Apple map its headroom in stops, by which its samples have to be converted. */
  readonly values: GainMapValues | { readonly appleStops: number }
}

/** The quality of a map's file: its errors are multiplied by all its stops. */
export const MAP_QUALITY = 90

/** How a format holds an HDR gain map. */
export interface GainMapPlace {
  /** Whether a file has one, by any standard. */
  isIn(file: Buffer): boolean
  /** The map of a file; undefined where it has none, or a damaged one. */
  find(file: Buffer): StoredMap | undefined
  /** Writes a map as a file of the format. */
  write(map: Sharp): Promise<Buffer>
  /** The brands of a file that is made of items, in the bytes of its `ftyp` box; other files have the map behind their picture. */
  readonly brands?: string
}

export type GainChannel = z.output<typeof gainChannel>
export type GainMapValues = z.output<typeof gainMapValues>

/** The values, unless a display could not use them. */
export const usable = (values: GainMapValues | undefined): GainMapValues | undefined => gainMapValues.safeParse(values).data

/** By Adobe's specification, where a file does not say it. */
export const DEFAULT_OFFSET = 1 / 64
