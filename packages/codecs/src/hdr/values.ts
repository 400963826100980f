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

export type GainChannel = z.output<typeof gainChannel>
export type GainMapValues = z.output<typeof gainMapValues>

/** The values, unless a display could not use them. */
export const usable = (values: GainMapValues | undefined): GainMapValues | undefined => gainMapValues.safeParse(values).data

/** By Adobe's specification, where a file does not say it. */
export const DEFAULT_OFFSET = 1 / 64
