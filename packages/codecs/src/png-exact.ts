import type { Sharp } from 'sharp'
import { type EncodeSettings, type Written, writeFile } from './codec.ts'
import { coloursOf } from './png-colours.ts'
import { indexedPng } from './png-indexed.ts'
import { pngOfSamples, type Samples } from './png-samples.ts'
import { type EffortTable, effortFor } from './scales.ts'

/** Larger pictures are left to libvips, which streams them: this many pixels take 75 to 100 MB. */
const MOST_MEGAPIXELS = 25

/** Below this many pixels a palette may take more than it saves: the other way is tried too. */
const SMALL_PIXELS = 65_536

/** zlib's 9 takes up to three times as long as 7. */
const levels: EffortTable = [
  [1, 9],
  [Infinity, 7],
]

/** Writes every pixel as it is, with the fewest channels and bits that hold all of them. */
export async function exactPng(pixels: Sharp, settings: Omit<EncodeSettings, 'quality'>): Promise<Written> {
  const { deep, megapixels, photograph = false, alpha = false, icc, effort } = settings
  const options = filtersFor(photograph)
  if (deep || megapixels > MOST_MEGAPIXELS) return writeFile(pixels.png(options))
  // Raw pixels of one channel lose their alpha, which a step may have added to a grey picture.
  const inColour = pixels.clone().toColourspace('srgb')
  const { data, info } = await inColour.raw().toBuffer({ resolveWithObject: true })
  const { width, height } = info
  const channels: number = info.channels
  // A TIFF may have channels beside colour and alpha; and of shades that `grayscale` has made, the alpha is never given.
  if (!isFew(channels) || (alpha && channels % 2 === 1)) return writeFile(pixels.png(options))
  const { grey, opaque, few } = coloursOf({ data, width, height, channels })
  // A profile of colours does not fit a file without them.
  const mayBeGrey = icc === undefined
  const least = leastChannels(channels, grey && mayBeGrey, opaque)
  const raster = withChannels({ data, width, height, channels }, least)
  const whole = async (level?: number) => ({ bytes: await pngOfSamples(raster, { level, effort }), width, height })
  if (!few || (least === 1 && few.colours.length > MOST_LEVELS)) return whole()
  const bytes = await indexedPng({ width, height }, few, { level: effortFor(levels, megapixels), mayBeGrey })
  if (width * height > SMALL_PIXELS) return { bytes, width, height }
  const other = await whole(9)
  return other.bytes.length < bytes.length ? other : { bytes, width, height }
}

/** More shades of grey than these are written in 8 bits, without a palette. */
const MOST_LEVELS = 16

/** Of libvips, which adds no filter by itself: level 4 with them takes 3 ms more at 512 pixels than level 6 without. */
const filtersFor = (photograph: boolean) => (photograph ? ({ adaptiveFiltering: true, compressionLevel: 4 } as const) : {})

type Few = Samples['channels']

const isFew = (channels: number): channels is Few => channels <= 4

function leastChannels(channels: Few, grey: boolean, opaque: boolean): Few {
  if (grey) return opaque ? 1 : 2
  return opaque && channels === 4 ? 3 : channels
}

/** The same pixels without channels that say nothing. */
function withChannels({ data, width, height, channels }: Samples, least: Few): Samples {
  if (least === channels) return { data, width, height, channels }
  const samples = new Uint8Array(width * height * least)
  // Of grey with alpha the second channel that stays is the last.
  const step = least === 2 ? channels - 1 : 1
  for (let from = 0, to = 0; to < samples.length; from += channels, to += least)
    for (let channel = 0; channel < least; channel++) samples[to + channel] = data[from + channel * step] as number
  return { data: samples, width, height, channels: least }
}
