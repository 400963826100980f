import { type Colours, coloursOf, MOST_COLOURS, type Rgba } from '../png-colours.ts'
import { chunk, colourType, type PngHeader } from '../png-file.ts'
import { deflateNumbers, paletteBits, paletteChunks, paletteOrder } from '../png-indexed.ts'
import { deflateSamples, type Samples } from '../png-samples.ts'
import { type EffortTable, effortFor } from '../scales.ts'
import type { FramePlan, Frames } from './plan-frames.ts'
import { eachRow, type FrameControl, OVER, SOURCE } from './read-apng.ts'

/** A frame's compressed pixels. */
export interface CodedFrame {
  readonly data: Buffer
  readonly blend: FrameControl['blend']
}

/** Codes frames that share a header and a palette. */
export interface FrameCoder {
  code(plan: FramePlan): Promise<CodedFrame>
  /** Complete after the last frame. */
  head(): { readonly header: PngHeader; readonly palette: readonly Buffer[] }
}

type Few = NonNullable<Colours['few']>

interface Options {
  /** No profile of colours is attached. */
  readonly mayBeGrey: boolean
  /** Of zlib. */
  readonly level: number | undefined
}

/** zlib's 9 takes up to three times as long as 7. */
const paletteLevels: EffortTable = [
  [1, 9],
  [Infinity, 7],
]

/** Up to here samples are compressed as well as zlib can: 9 takes up to three times as long as the level of stills. */
const SMALL_MEGAPIXELS = 1

export function frameCoderFor(frames: Frames, { mayBeGrey, level }: Options): FrameCoder {
  const { width, height, count, data, channels } = frames
  const strip = { data, width, height: height * count, channels: channels as Samples['channels'] }
  const { grey, opaque, few } = coloursOf(strip)
  const megapixels = (width * height * count) / 1e6
  if (few) return paletteCoder(frames, few, level ?? effortFor(paletteLevels, megapixels))
  const colour = opaque ? 3 : 4
  const ownLevel = level ?? (megapixels <= SMALL_MEGAPIXELS ? 9 : undefined)
  return samplesCoder(frames, grey && mayBeGrey && !opaque ? 2 : colour, ownLevel)
}

/** The smaller one of a frame as it is and, where possible, laid over what is there, its unchanged pixels transparent. */
async function smallest(plan: FramePlan, deflate: (keeps: (at: number) => boolean) => Promise<Buffer>): Promise<CodedFrame> {
  const whole: CodedFrame = { data: await deflate(() => false), blend: SOURCE }
  if (plan.index === 0 || !mayLieOver(plan)) return whole
  const { canvas, base } = plan
  const over: CodedFrame = { data: await deflate((at) => canvas[at] === base[at]), blend: OVER }
  return over.data.length < whole.data.length ? over : whole
}

/** Whether some pixels are unchanged, and all others come out as they are by any viewer's arithmetic. */
function mayLieOver({ canvas, base, area, across }: FramePlan): boolean {
  let sameCount = 0
  let isPossible = true
  eachRow(area, across, (start) => {
    for (let at = start; at < start + area.width; at++) {
      if (canvas[at] === base[at]) sameCount++
      else if ((canvas[at] as number) >>> 24 < 255) isPossible = false
    }
  })
  return isPossible && sameCount > 0
}

/** Frames of numbers of at most 256 colours. */
function paletteCoder({ width, height }: Frames, { colours, numbers }: Few, level: number): FrameCoder {
  const clearNumber = colours.findIndex(([, , , alpha]) => alpha === 0)
  const hasRoom = colours.length < MOST_COLOURS && paletteBits(colours.length) === paletteBits(colours.length + 1)
  // Pixels that stay as they are have a colour of their own where no transparent one is there.
  const all: readonly Rgba[] = clearNumber < 0 && hasRoom ? [...colours, [0, 0, 0, 0]] : colours
  const keptNumber = clearNumber < 0 && hasRoom ? colours.length : clearNumber
  const order = paletteOrder(all)
  const bits = paletteBits(order.length)
  const values = all.map((colour) => order.indexOf(colour))
  let hasTransparency = colours.some(([, , , alpha]) => alpha < 255)

  async function code(plan: FramePlan): Promise<CodedFrame> {
    const { area, index } = plan
    const deflate = (keeps: (at: number) => boolean) => {
      const own = new Uint8Array(area.width * area.height)
      eachRow(area, width, (start, to) => {
        for (let column = 0; column < area.width; column++) {
          const at = start + column
          own[to + column] = keeps(at) ? keptNumber : (numbers[index * width * height + at] as number)
        }
      })
      return deflateNumbers(area, own, values, bits, level)
    }
    const frame = keptNumber < 0 ? ({ data: await deflate(() => false), blend: SOURCE } as const) : await smallest(plan, deflate)
    hasTransparency ||= frame.blend === OVER
    return frame
  }

  const head = () => ({
    header: { width, height, bits, colourType: colourType.palette },
    palette: paletteChunks(order, hasTransparency),
  })
  return { code, head }
}

const typesByChannels = { 2: colourType.greyAlpha, 3: colourType.colour, 4: colourType.colourAlpha } as const

/** Frames of samples; without alpha, a colour that no frame has stands for pixels that stay as they are. */
function samplesCoder(frames: Frames, channels: keyof typeof typesByChannels, level: number | undefined): FrameCoder {
  const { width, height } = frames
  const key = channels === 3 ? unusedColour(frames) : TRANSPARENT
  let hasKey = false

  async function code(plan: FramePlan): Promise<CodedFrame> {
    const { area, canvas } = plan
    const deflate = (keeps: (at: number) => boolean) => {
      const data = new Uint8Array(area.width * area.height * channels)
      let to = 0
      eachRow(area, width, (start) => {
        for (let at = start; at < start + area.width; at++, to += channels) {
          const colour = keeps(at) ? (key ?? TRANSPARENT) : (canvas[at] as number)
          data[to] = colour
          data[to + channels - 1] = channels === 3 ? colour >> 16 : colour >>> 24
          if (channels === 2) continue
          data[to + 1] = colour >> 8
          data[to + 2] = colour >> 16
        }
      })
      return deflateSamples({ ...area, data, channels }, level)
    }
    const frame =
      key === undefined ? ({ data: await deflate(() => false), blend: SOURCE } as const) : await smallest(plan, deflate)
    hasKey ||= channels === 3 && frame.blend === OVER
    return frame
  }

  const head = () => ({
    header: { width, height, bits: 8, colourType: typesByChannels[channels] } as const,
    palette: hasKey && key !== undefined ? [keyChunk(key)] : [],
  })
  return { code, head }
}

const TRANSPARENT = 0

/** The first colour that no pixel has; undefined where there is none. */
function unusedColour({ data, channels }: Frames): number | undefined {
  const usedColours = new Uint8Array(2 ** 24)
  for (let at = 0; at < data.length; at += channels)
    usedColours[(data[at] as number) | ((data[at + 1] as number) << 8) | ((data[at + 2] as number) << 16)] = 1
  const colour = usedColours.indexOf(0)
  return colour < 0 ? undefined : colour
}

/** Two bytes of each channel (PNG, third edition, 11.3.2.1). */
const keyChunk = (colour: number): Buffer =>
  chunk('tRNS', Buffer.from([0, colour & 255, 0, (colour >> 8) & 255, 0, colour >> 16]))
