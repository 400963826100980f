import assert from 'node:assert/strict'
import type { Bitmap } from '../../src/codecs/bitmap.ts'
import { bmpReader } from '../../src/codecs/bmp/reader.ts'

/** Small BMP files, made byte by byte, and what is read from them. */

export interface BmpParts {
  /** Length of the info header; 12 is OS/2's first. */
  readonly header?: number
  readonly width: number
  /** Negative for rows from the top down. */
  readonly height: number
  readonly bits: number
  readonly compression?: number
  /** 0xrrggbb. */
  readonly colours?: readonly number[]
  /** What the header says; else as many as there are. */
  readonly saidColours?: number
  /** Written behind a header of 40 bytes, into a longer one. */
  readonly masks?: readonly number[]
  /** Anything else in the header. */
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
export function shown({ width, height, channels, data }: Bitmap): readonly string[] {
  assert.equal(data.length, width * height * channels)
  const pixel = (index: number) => Buffer.from(data.subarray(index * channels, (index + 1) * channels)).toString('hex')
  return Array.from({ length: height }, (_, y) => Array.from({ length: width }, (_, x) => pixel(y * width + x)).join(' '))
}

export const read = async (file: Buffer): Promise<readonly string[]> => shown(await bmpReader.decode(file))

/** Red, green, blue and alpha of every pixel, however many channels were read. */
export async function readRgba(file: Buffer): Promise<Buffer> {
  const { channels, data } = await bmpReader.decode(file)
  const pixels = Array.from({ length: data.length / channels }, (_, index) => [
    ...data.subarray(index * channels, (index + 1) * channels),
  ])
  return Buffer.from(pixels.flatMap(([red = 0, green = red, blue = red, alpha = 255]) => [red, green, blue, alpha]))
}
