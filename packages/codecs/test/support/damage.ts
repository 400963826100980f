import { crc32 } from 'node:zlib'
import { bmpFile } from './bmp.ts'
import { solid } from './pictures.ts'

/** Files whose header claims more than they hold: the width and height of a small file are overwritten. */

const SIDE = 60_000

function write16(bytes: Buffer, at: number, little: boolean): void {
  for (const offset of [at, at + 2]) {
    if (little) bytes.writeUInt16LE(SIDE, offset)
    else bytes.writeUInt16BE(SIDE, offset)
  }
}

/** SOF0 or SOF2: length, precision, height, width. */
async function jpeg(): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').jpeg().toBuffer()
  write16(bytes, bytes.indexOf(Buffer.from([0xff, 0xc0])) + 5, false)
  return bytes
}

export async function promisingPng(width: number, height: number): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').png().toBuffer()
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  bytes.writeUInt32BE(crc32(bytes.subarray(12, 29)), 29)
  return bytes
}

/** The logical screen, and the one frame on it. */
async function gif(): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').gif().toBuffer()
  write16(bytes, 6, true)
  // Behind the comma: left, top, width, height.
  write16(bytes, bytes.indexOf(Buffer.from([0x2c, 0, 0, 0, 0, 16, 0, 16, 0])) + 5, true)
  return bytes
}

/** VP8X with a canvas of 16,384 × 16,384, the most that its 14-bit sides allow, before the picture itself. */
async function webp(): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').webp().toBuffer()
  const vp8x = Buffer.from('VP8X\x0a\0\0\0\0\0\0\0\xff\x3f\0\xff\x3f\0', 'latin1')
  const whole = Buffer.concat([bytes.subarray(0, 12), vp8x, bytes.subarray(12)])
  whole.writeUInt32LE(whole.length - 8, 4)
  return whole
}

/** ImageWidth (256) and ImageLength (257) of the first directory, little-endian, each of one SHORT or LONG. */
async function tiff(): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').tiff({ compression: 'none' }).toBuffer()
  const directory = bytes.readUInt32LE(4)
  for (let entry = 0; entry < bytes.readUInt16LE(directory); entry++) {
    const at = directory + 2 + entry * 12
    if ([256, 257].includes(bytes.readUInt16LE(at))) bytes.writeUInt16LE(SIDE, at + 8)
  }
  return bytes
}

/** Every `ispe` box: version and flags, width, height. */
async function avif(): Promise<Buffer> {
  const bytes = await solid(16, 16, '#123456').avif({ effort: 0 }).toBuffer()
  for (let at = bytes.indexOf('ispe'); at > 0; at = bytes.indexOf('ispe', at + 4)) {
    bytes.writeUInt32BE(SIDE, at + 8)
    bytes.writeUInt32BE(SIDE, at + 12)
  }
  return bytes
}

/** A tiny file of each format whose header says 268 to 3,600 megapixels. */
export const promisingFiles = async (): Promise<Readonly<Record<string, Buffer>>> => ({
  jpeg: await jpeg(),
  png: await promisingPng(SIDE, SIDE),
  gif: await gif(),
  webp: await webp(),
  tiff: await tiff(),
  avif: await avif(),
  bmp: bmpFile({ width: SIDE, height: SIDE, bits: 24, pixels: [0, 0, 0, 0] }),
})

/** Numbers from 0 up to `below`, seeded, so that a failure can be repeated (mulberry32). */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let hash = Math.imul(state ^ (state >>> 15), 1 | state)
    hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash
    return ((hash ^ (hash >>> 14)) >>> 0) % below
  }
}

/**
 * A copy with up to four bytes changed or, one time in four, its end cut off. Half of the changes are in the first
 * `headBytes`, which hold the dimensions and offsets.
 */
export function damage(bytes: Buffer, random: (below: number) => number, headBytes: number): Buffer {
  if (random(4) === 0) return Buffer.from(bytes.subarray(0, random(bytes.length)))
  const copy = Buffer.from(bytes)
  const reach = random(2) === 0 ? copy.length : Math.min(headBytes, copy.length)
  // Zero, all ones and one more or less find other mistakes than chance does.
  for (let change = 1 + random(4); change > 0; change--) {
    const at = random(reach)
    const old = copy[at] ?? 0
    copy[at] = [0, 0xff, old + 1, old - 1, random(256), old ^ (1 << random(8))][random(6)] ?? 0
  }
  return copy
}
