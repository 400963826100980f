/** What the samples of a gain map mean (ISO 21496-1, 5.2): for each of one or three channels, in logarithms to base 2. */
export interface GainMapValues {
  readonly channels: readonly GainChannel[]
  /** Headroom of the display, in stops, up to which the map has no effect, and from which it has all of it. */
  readonly capacityMin: number
  readonly capacityMax: number
  /** The picture in the file is the HDR one, and the map leads to SDR. */
  readonly baseIsHdr: boolean
}

export interface GainChannel {
  /** The gain of samples 0 and 1, in stops. */
  readonly min: number
  readonly max: number
  readonly gamma: number
  /** Added to linear light before the gain is applied, and taken off afterwards. */
  readonly offsetSdr: number
  readonly offsetHdr: number
}

/** By Adobe's specification, where a file does not say it. */
export const DEFAULT_OFFSET = 1 / 64

/** Real files have up to 8 stops: more is damage. */
const MOST_STOPS = 32

/** Whether a display could use them. */
export const areSane = ({ channels, capacityMin, capacityMax }: GainMapValues): boolean =>
  (channels.length === 1 || channels.length === 3) &&
  isStops(capacityMin) &&
  isStops(capacityMax) &&
  capacityMax > capacityMin &&
  channels.every(
    ({ min, max, gamma, offsetSdr, offsetHdr }) =>
      isStops(min) && isStops(max) && max >= min && gamma > 0 && gamma < 100 && isOffset(offsetSdr) && isOffset(offsetHdr),
  )

const isStops = (value: number): boolean => Math.abs(value) <= MOST_STOPS
const isOffset = (value: number): boolean => Math.abs(value) <= 16
