import type { Bitmap } from '../../codecs/bitmap.ts'

/** Samples of one channel, rows from the top; 0–255 is the range of a display, whatever the depth of the file. */
export type Plane = Float32Array

/** Rows of a picture, as far as they are worked on at a time. */
export interface Band {
  readonly width: number
  readonly height: number
  /**
   * One plane where all is grey, else brightness and two of colour. These are orthonormal, so that noise is as strong in
   * each as it is in red, green and blue, and what is added to the first is added to all three alike.
   */
  readonly planes: readonly [Plane, ...Plane[]]
  readonly alpha: Plane | undefined
}

/** What the first of three planes is divided by for brightness of 0–255. */
export const LIGHT_SCALE = Math.sqrt(3)

const [R2, R3, R6] = [Math.SQRT1_2, 1 / Math.sqrt(3), 1 / Math.sqrt(6)]

/** What a sample of this depth is divided by. */
const unit = (data: Bitmap['data']): number => (data.BYTES_PER_ELEMENT === 2 ? 257 : 1)

/** The rows `from` to `to` of a picture; of a grey one its first channel stands for all. */
export function readBand({ data, width, channels }: Bitmap, grey: boolean, from: number, to: number): Band {
  const height = to - from
  const scale = 1 / unit(data)
  const samples = data.subarray(from * width * channels, to * width * channels)
  const alpha = channels === 4 ? channelOf(samples, channels, 3, scale) : undefined
  const planes = grey ? ([channelOf(samples, channels, 0, scale)] as const) : opponents(samples, channels, scale)
  return { width, height, planes, alpha }
}

function channelOf(samples: Bitmap['data'], channels: number, channel: number, scale: number): Plane {
  const plane = new Float32Array(samples.length / channels)
  for (let i = 0; i < plane.length; i++) plane[i] = (samples[i * channels + channel] as number) * scale
  return plane
}

function opponents(samples: Bitmap['data'], channels: number, scale: number): readonly [Plane, Plane, Plane] {
  const pixels = samples.length / channels
  const [light, redBlue, green] = [new Float32Array(pixels), new Float32Array(pixels), new Float32Array(pixels)]
  for (let i = 0, at = 0; i < pixels; i++, at += channels) {
    const r = samples[at] as number
    const g = samples[at + 1] as number
    const b = samples[at + 2] as number
    light[i] = (r + g + b) * R3 * scale
    redBlue[i] = (r - b) * R2 * scale
    green[i] = (r - 2 * g + b) * R6 * scale
  }
  return [light, redBlue, green]
}

/** Writes `rows` rows of a band, from its row `skip` on, to row `to` of a picture: rounded, and held to what its depth can say. */
export function writeBand({ width, planes, alpha }: Band, skip: number, rows: number, out: Bitmap, to: number): void {
  const { data, channels } = out
  const scale = unit(data)
  const most = 255 * scale
  const held = (value: number) => (value <= 0 ? 0 : value >= 255 ? most : value * scale + 0.5)
  const [light, redBlue, green] = planes
  let at = to * width * channels
  for (let i = skip * width; i < (skip + rows) * width; i++, at += channels) {
    const opacity = alpha ? held(alpha[i] as number) : most
    if (channels === 4) data[at + 3] = opacity
    // What nobody can see is no colour at all: it would only cost bytes.
    const y = opacity < 1 ? 0 : (light[i] as number)
    if (!redBlue || !green || opacity < 1) {
      data[at] = data[at + 1] = data[at + 2] = held(y)
      continue
    }
    const a = y * R3
    const u = (redBlue[i] as number) * R2
    const v = (green[i] as number) * R6
    data[at] = held(a + u + v)
    data[at + 1] = held(a - 2 * v)
    data[at + 2] = held(a - u + v)
  }
}
