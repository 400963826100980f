import { promisify } from 'node:util'
import { crc32, deflate } from 'node:zlib'
import type { Colours, Rgba } from './png-colours.ts'

type Few = NonNullable<Colours['few']>

/** Colour types (PNG, third edition, 11.2.1). */
const GREY = 0
const PALETTE = 3

/** Steps between the greys that 1, 2 and 4 bits can say. */
const greySteps = { 1: 255, 2: 85, 4: 17 } as const

type Bits = 1 | 2 | 4 | 8

interface Size {
  readonly width: number
  readonly height: number
}

/**
 * A PNG of at most 256 colours: greys of 1, 2 or 4 bits where these say every one of them, else a palette.
 * @param level of zlib
 */
export async function indexedPng(
  { width, height }: Size,
  { colours, numbers }: Few,
  { level, mayBeGrey }: { readonly level: number; readonly mayBeGrey: boolean },
): Promise<Buffer> {
  const greyBits = mayBeGrey ? greyBitsOf(colours) : undefined
  const bits = greyBits ?? paletteBits(colours.length)
  // Colours with transparency come first, since tRNS ends with the last of them.
  const order = greyBits
    ? colours
    : [...colours].sort(([, , , one], [, , , other]) => (one === 255 ? 1 : 0) - (other === 255 ? 1 : 0))
  const values = colours.map((colour) => (greyBits ? colour[0] / greySteps[greyBits] : order.indexOf(colour)))
  const rows = packRows(width, height, numbers, values, bits)
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, bits, greyBits ? GREY : PALETTE, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(greyBits ? [] : paletteChunks(order)),
    chunk('IDAT', await compress(rows, { level, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const compress = promisify(deflate)

const paletteBits = (count: number): Bits => (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8)

/** Undefined where 8 bits or a palette are needed. */
function greyBitsOf(colours: readonly Rgba[]): keyof typeof greySteps | undefined {
  const are = (step: number) =>
    colours.every(([red, green, blue, alpha]) => red === green && red === blue && alpha === 255 && red % step === 0)
  return ([1, 2, 4] as const).find((bits) => are(greySteps[bits]))
}

/** Rows of values without a filter: numbers of colours have no gradients. */
function packRows(width: number, height: number, numbers: Uint8Array, values: readonly number[], bits: Bits): Buffer {
  const rowBytes = 1 + Math.ceil((width * bits) / 8)
  const rows = Buffer.alloc(rowBytes * height)
  const value = Uint8Array.from(values)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * rowBytes + 1 + ((x * bits) >> 3)
      const place = 8 - bits - ((x * bits) & 7)
      rows[at] = (rows[at] as number) | ((value[numbers[y * width + x] as number] as number) << place)
    }
  }
  return rows
}

function paletteChunks(colours: readonly Rgba[]): readonly Buffer[] {
  const palette = chunk('PLTE', Buffer.from(colours.flatMap((colour) => colour.slice(0, 3))))
  const alphas = colours.map(([, , , alpha]) => alpha).filter((alpha) => alpha !== 255)
  return alphas.length > 0 ? [palette, chunk('tRNS', Buffer.from(alphas))] : [palette]
}

function chunk(type: string, data: Buffer): Buffer {
  const bytes = Buffer.alloc(12 + data.length)
  bytes.writeUInt32BE(data.length, 0)
  bytes.write(type, 4, 'latin1')
  data.copy(bytes, 8)
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length)
  return bytes
}
