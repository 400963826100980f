import type { Samples } from '../samples.ts'
import { colourSpaces, END_BYTES, HEADER_BYTES, LONGEST_RUN, MAGIC, SEEN_COLOURS, tags } from './layout.ts'

/** A file in sRGB; with alpha if a pixel is transparent. */
export function writeQoi({ width, height, data, channels, green: greenAt, blue: blueAt, alpha: alphaAt }: Samples): Buffer {
  const file = newFile(width, height, alphaAt === undefined ? 3 : 4)
  const seenColours = new Int32Array(SEEN_COLOURS)
  let red = 0
  let green = 0
  let blue = 0
  let alpha = 255
  let colour = colourNumber(red, green, blue, alpha)
  let run = 0
  let at = HEADER_BYTES
  for (let from = 0; from < data.length; from += channels) {
    const nextRed = data[from] as number
    const nextGreen = data[from + greenAt] as number
    const nextBlue = data[from + blueAt] as number
    const nextAlpha = alphaAt === undefined ? 255 : (data[from + alphaAt] as number)
    const next = colourNumber(nextRed, nextGreen, nextBlue, nextAlpha)
    if (next === colour && run < LONGEST_RUN) {
      run++
      continue
    }
    if (run > 0) file[at++] = tags.run | (run - 1)
    run = next === colour ? 1 : 0
    if (next === colour) continue
    const place = (nextRed * 3 + nextGreen * 5 + nextBlue * 7 + nextAlpha * 11) % SEEN_COLOURS
    const byRed = wrapByte(nextRed - red)
    const byGreen = wrapByte(nextGreen - green)
    const byBlue = wrapByte(nextBlue - blue)
    if (seenColours[place] === next) {
      file[at++] = tags.index | place
    } else if (nextAlpha !== alpha) {
      file[at++] = tags.rgba
      file[at++] = nextRed
      file[at++] = nextGreen
      file[at++] = nextBlue
      file[at++] = nextAlpha
    } else if (fits(byRed, 2) && fits(byGreen, 2) && fits(byBlue, 2)) {
      file[at++] = tags.diff | ((byRed + 2) << 4) | ((byGreen + 2) << 2) | (byBlue + 2)
    } else if (fits(byGreen, 32) && fits(byRed - byGreen, 8) && fits(byBlue - byGreen, 8)) {
      file[at++] = tags.luma | (byGreen + 32)
      file[at++] = ((byRed - byGreen + 8) << 4) | (byBlue - byGreen + 8)
    } else {
      file[at++] = tags.rgb
      file[at++] = nextRed
      file[at++] = nextGreen
      file[at++] = nextBlue
    }
    seenColours[place] = next
    red = nextRed
    green = nextGreen
    blue = nextBlue
    alpha = nextAlpha
    colour = next
  }
  if (run > 0) file[at++] = tags.run | (run - 1)
  file.fill(0, at, at + END_BYTES)
  file[at + END_BYTES - 1] = 1
  return file.subarray(0, at + END_BYTES)
}

/** A file with its header, and room for pixels that all take a tag and each of their channels. */
function newFile(width: number, height: number, channels: 3 | 4): Buffer {
  const file = Buffer.allocUnsafe(HEADER_BYTES + width * height * (channels + 1) + END_BYTES)
  file.write(MAGIC, 'latin1')
  file.writeUInt32BE(width, 4)
  file.writeUInt32BE(height, 8)
  file.writeUInt8(channels, 12)
  file.writeUInt8(colourSpaces.srgb, 13)
  return file
}

/** A colour as one number of 32 bits. */
const colourNumber = (red: number, green: number, blue: number, alpha: number): number =>
  (red << 24) | (green << 16) | (blue << 8) | alpha

/** A difference of bytes, which wraps around, from −128 to 127. */
const wrapByte = (difference: number): number => (difference << 24) >> 24

/** Whether a number is among the `half` below 0, or as many from 0 on. */
const fits = (number: number, half: number): boolean => number >= -half && number < half
