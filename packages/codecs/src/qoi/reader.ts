import { limits } from '../contract/limits.ts'
import { profileOf } from '../icc-profile.ts'
import { type Bitmap, type PictureHeader, type Reader, UnreadableError } from '../reader.ts'
import { type Curve, SRGB } from '../rgb-space.ts'
import { colourSpaces, HEADER_BYTES, LONGEST_RUN, SEEN_COLOURS, tags } from './layout.ts'

interface FileHeader {
  readonly width: number
  readonly height: number
  readonly channels: 3 | 4
  readonly isLinear: boolean
}

/** @throws UnreadableError also for a file that has fewer bytes than its pixels take at least */
function readFileHeader(file: Buffer): FileHeader {
  if (file.length < HEADER_BYTES) throw new UnreadableError('it ends within its header')
  const width = file.readUInt32BE(4)
  const height = file.readUInt32BE(8)
  const channels = file.readUInt8(12)
  const space = file.readUInt8(13)
  if (width === 0 || height === 0) throw new UnreadableError(`its header says ${width} × ${height} pixels`)
  if (channels !== 3 && channels !== 4) throw new UnreadableError(`its header says ${channels} channels`)
  if (space > colourSpaces.linear) throw new UnreadableError(`its header says the colour space ${space}`)
  // A byte stands for a run of 62 pixels at most: nothing is allocated for a header alone.
  if (width * height <= limits.pixels && (file.length - HEADER_BYTES) * LONGEST_RUN < width * height) throw cutOff()
  return { width, height, channels, isLinear: space === colourSpaces.linear }
}

const cutOff = () => new UnreadableError('it ends before its pixels do')

async function header(file: Buffer): Promise<PictureHeader> {
  const { width, height, channels } = readFileHeader(file)
  return { width, height, alpha: channels === 4, grey: false, deep: false }
}

async function decode(file: Buffer): Promise<Bitmap> {
  const { width, height, channels, isLinear } = readFileHeader(file)
  if (width * height > limits.pixels) throw new UnreadableError(`it has more than ${limits.pixels / 1e6} megapixels`)
  const data = decodePixels(
    new Uint8Array(file.buffer, file.byteOffset, file.length),
    new Uint8Array(width * height * channels),
    channels,
  )
  return { width, height, channels, data, ...(isLinear && { icc: profileOf(LINEAR) }) }
}

const identity: Curve = (code) => code
/** sRGB's primaries, without its curve. */
const LINEAR = { ...SRGB, curves: [identity, identity, identity] } as const

/**
 * Fills the pixels. What follows them, such as the end marker, is not looked at.
 * @throws UnreadableError if the file ends before
 */
function decodePixels(file: Uint8Array, data: Uint8Array, channels: 3 | 4): Uint8Array {
  const seenColours = new Int32Array(SEEN_COLOURS)
  let red = 0
  let green = 0
  let blue = 0
  let alpha = 255
  let at = HEADER_BYTES
  for (let to = 0; to < data.length; ) {
    if (at >= file.length) throw cutOff()
    const byte = file[at++] as number
    let run = 1
    if (byte >= tags.rgb) {
      const length = byte === tags.rgb ? 3 : 4
      if (at + length > file.length) throw cutOff()
      red = file[at] as number
      green = file[at + 1] as number
      blue = file[at + 2] as number
      if (length === 4) alpha = file[at + 3] as number
      at += length
    } else if (byte < tags.diff) {
      const colour = seenColours[byte] as number
      red = colour >>> 24
      green = (colour >> 16) & 255
      blue = (colour >> 8) & 255
      alpha = colour & 255
    } else if (byte < tags.luma) {
      red = (red + ((byte >> 4) & 3) - 2) & 255
      green = (green + ((byte >> 2) & 3) - 2) & 255
      blue = (blue + (byte & 3) - 2) & 255
    } else if (byte < tags.run) {
      if (at >= file.length) throw cutOff()
      const second = file[at++] as number
      const byGreen = (byte & 63) - 32
      red = (red + byGreen + (second >> 4) - 8) & 255
      green = (green + byGreen) & 255
      blue = (blue + byGreen + (second & 15) - 8) & 255
    } else {
      run = (byte & 63) + 1
    }
    seenColours[(red * 3 + green * 5 + blue * 7 + alpha * 11) % SEEN_COLOURS] = (red << 24) | (green << 16) | (blue << 8) | alpha
    const end = Math.min(to + run * channels, data.length)
    for (; to < end; to += channels) {
      data[to] = red
      data[to + 1] = green
      data[to + 2] = blue
      if (channels === 4) data[to + 3] = alpha
    }
  }
  return data
}

export const qoiReader: Reader = { header, decode }
