import assert from 'node:assert/strict'
import { bmpReader } from '../../src/bmp/reader.ts'
import type { Bitmap } from '../../src/reader.ts'

/** Small BMP files, built byte by byte, and readers for their pixels. */

export interface BmpParts {
  /** Length of the info header; 12 is OS/2's first. */
  readonly header?: number
  readonly width: number
  /** Negative for top-down rows. */
  readonly height: number
  readonly bits: number
  readonly compression?: number
  /** 0xrrggbb. */
  readonly colours?: readonly number[]
  /** Taken from the header if set there; otherwise the number of entries. */
  readonly saidColours?: number
  /** Appended to the header of 40 bytes, which makes it longer. */
  readonly masks?: readonly number[]
  /** Other header fields. */
  readonly edit?: (header: Buffer) => void
  /** Between the colour table and the pixels. */
  readonly gap?: number
  readonly pixels: Uint8Array | readonly number[]
}

export function bmpFile(parts: BmpParts): Buffer {
  const { header: length = 40, width, height, bits, compression = 0, colours = [], masks = [], gap = 0, pixels } = parts
  const header = Buffer.alloc(length)
  header.writeUInt32LE(length)
  if (length === 12) {
    header.writeUInt16LE(width, 4)
    header.writeUInt16LE(height, 6)
    header.writeUInt16LE(1, 8)
    header.writeUInt16LE(bits, 10)
  } else {
    header.writeInt32LE(width, 4)
    header.writeInt32LE(height, 8)
    header.writeUInt16LE(1, 12)
    header.writeUInt16LE(bits, 14)
    if (length >= 20) header.writeUInt32LE(compression, 16)
    if (length >= 36) header.writeUInt32LE(parts.saidColours ?? colours.length, 32)
  }
  const maskBytes = Buffer.alloc(masks.length * 4)
  for (const [index, mask] of masks.entries()) maskBytes.writeUInt32LE(mask, index * 4)
  if (length > 40) maskBytes.copy(header, 40)
  parts.edit?.(header)
  const table = colours.flatMap((colour) => [colour & 255, (colour >> 8) & 255, colour >> 16, ...(length === 12 ? [] : [0])])
  const before = Buffer.concat([header, length === 40 ? maskBytes : Buffer.alloc(0), Buffer.from(table), Buffer.alloc(gap)])
  const file = Buffer.concat([Buffer.alloc(14), before, Buffer.from(pixels)])
  file.write('BM', 'latin1')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(14 + before.length, 10)
  return file
}

/** Each row from the top: its pixels as two hexadecimal digits a sample, with a space between. */
export function coloursOf({ width, height, channels, data }: Bitmap): readonly string[] {
  assert.equal(data.length, width * height * channels)
  const pixel = (index: number) => Buffer.from(data.subarray(index * channels, (index + 1) * channels)).toString('hex')
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => pixel(y * width + x)).join(' '))
}

export const read = async (file: Buffer): Promise<readonly string[]> => coloursOf(await bmpReader.decode(file))

/** Red, green, blue and alpha of every pixel, whatever the number of channels. */
export async function readRgba(file: Buffer): Promise<Buffer> {
  const { channels, data } = await bmpReader.decode(file)
  const pixels = Array.from({ length: data.length / channels }, (_, index) => [
    ...data.subarray(index * channels, (index + 1) * channels),
  ])
  return Buffer.from(pixels.flatMap(([red = 0, green = red, blue = red, alpha = 255]) => [red, green, blue, alpha]))
}

const WIDTH = 13
const HEIGHT = 7
const noise = (bytes: number) => Uint8Array.from({ length: bytes }, (_, index) => (index * 167 + (index >> 3) * 29) & 255)
const colours = (count: number) => Array.from({ length: count }, (_, index) => (index * 0x12345) & 0xffffff)
const rows = (bits: number) => noise(Math.ceil((WIDTH * bits) / 32) * 4 * HEIGHT)

/** One small file for each coding and header. */
export function everyBmp(): Readonly<Record<string, Buffer>> {
  const size = { width: WIDTH, height: HEIGHT }
  const rgba = [0xff0000, 0xff00, 0xff, 0xff000000]
  const masks = [0xf800, 0x7e0, 0x1f]
  const profile = Buffer.alloc(128)
  profile.writeUInt32BE(128)
  profile.write('RGB ', 16, 'latin1')
  profile.write('acsp', 36, 'latin1')
  return {
    one: bmpFile({ ...size, bits: 1, colours: colours(2), pixels: rows(1) }),
    two: bmpFile({ ...size, bits: 2, colours: colours(4), pixels: rows(2) }),
    four: bmpFile({ ...size, bits: 4, colours: colours(16), pixels: rows(4) }),
    eight: bmpFile({ ...size, bits: 8, colours: colours(256), pixels: rows(8) }),
    grey: bmpFile({ ...size, bits: 8, colours: colours(256).map((_, index) => index * 0x10101), pixels: rows(8) }),
    sixteen: bmpFile({ ...size, bits: 16, compression: 3, masks, pixels: rows(16) }),
    twentyFour: bmpFile({ ...size, bits: 24, pixels: rows(24) }),
    topDown: bmpFile({ ...size, height: -HEIGHT, bits: 24, pixels: rows(24) }),
    thirtyTwo: bmpFile({ ...size, bits: 32, pixels: rows(32) }),
    alpha: bmpFile({ ...size, header: 108, bits: 32, compression: 3, masks: rgba, pixels: rows(32) }),
    wideMasks: bmpFile({ ...size, bits: 32, compression: 6, masks: [0x3ff, 0xffc00, 0x3ff00000, 0xc0000000], pixels: rows(32) }),
    sixtyFour: bmpFile({ ...size, bits: 64, pixels: rows(64) }),
    os2: bmpFile({ ...size, header: 12, bits: 8, colours: colours(100), pixels: rows(8) }),
    runs8: bmpFile({ ...size, bits: 8, compression: 1, colours: colours(256), pixels: noise(200) }),
    runs4: bmpFile({ ...size, bits: 4, compression: 2, colours: colours(16), pixels: noise(200) }),
    runs24: bmpFile({ ...size, header: 64, bits: 24, compression: 4, pixels: noise(200) }),
    huffman: bmpFile({ ...size, header: 64, bits: 1, compression: 3, colours: colours(2), pixels: noise(200) }),
    profile: bmpFile({
      ...size,
      header: 124,
      bits: 24,
      edit: (header) => {
        header.writeUInt32LE(0x4d424544, 56)
        header.writeUInt32LE(124 + rows(24).length, 112)
        header.writeUInt32LE(profile.length, 116)
      },
      pixels: Buffer.concat([rows(24), profile]),
    }),
    calibrated: bmpFile({
      ...size,
      header: 108,
      bits: 24,
      edit: calibrate([0.64, 0.33], [0.3, 0.6], [0.15, 0.06], 2.2),
      pixels: rows(24),
    }),
    jpeg: bmpFile({ ...size, header: 124, bits: 0, compression: 4, pixels: [0xff, 0xd8, 0xff, 0xe0, 0, 0] }),
    png: bmpFile({ ...size, header: 124, bits: 0, compression: 5, pixels: Buffer.from('\x89PNG\r\n\x1a\n', 'latin1') }),
  }
}

type Point = readonly [x: number, y: number]

/** Writes LCS_CALIBRATED_RGB: the chromaticities of the primaries and one exponent for all three. */
export const calibrate = (red: Point, green: Point, blue: Point, gamma: number) => (header: Buffer) => {
  header.writeUInt32LE(0, 56)
  const numbers = [red, green, blue].flatMap(([x, y]) => [x, y, 1 - x - y])
  for (const [index, number] of numbers.entries()) header.writeUInt32LE(Math.round(number * 2 ** 30), 60 + index * 4)
  for (const at of [96, 100, 104]) header.writeUInt32LE(Math.round(gamma * 65_536), at)
}
