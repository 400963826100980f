import { promisify } from 'node:util'
import { deflate } from 'node:zlib'
import type { Colours, Rgba } from './png-colours.ts'
import { chunk, colourType, pngFile } from './png-file.ts'

type Few = NonNullable<Colours['few']>

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
  const order = greyBits ? colours : paletteOrder(colours)
  const values = colours.map((colour) => (greyBits ? colour[0] / greySteps[greyBits] : order.indexOf(colour)))
  const rows = await deflateNumbers({ width, height }, numbers, values, bits, level)
  const header = { width, height, bits, colourType: greyBits ? colourType.grey : colourType.palette }
  return pngFile(header, greyBits ? [] : paletteChunks(order), [rows])
}

/** The rows of values by number, compressed. */
export const deflateNumbers = (
  { width, height }: Size,
  numbers: Uint8Array,
  values: readonly number[],
  bits: Bits,
  level: number,
): Promise<Buffer> => compress(packRows(width, height, numbers, values, bits), { level, memLevel: 9 })

const compress = promisify(deflate)

/** Colours with transparency come first, since tRNS ends with the last of them. */
export const paletteOrder = (colours: readonly Rgba[]): readonly Rgba[] =>
  [...colours].sort(([, , , one], [, , , other]) => (one === 255 ? 1 : 0) - (other === 255 ? 1 : 0))

export const paletteBits = (count: number): Bits => (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8)

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

/** @param hasTransparency of a pixel; a transparent colour that none has is not said to be one */
export function paletteChunks(colours: readonly Rgba[], hasTransparency = true): readonly Buffer[] {
  const palette = chunk('PLTE', Buffer.from(colours.flatMap((colour) => colour.slice(0, 3))))
  const alphas = colours.map(([, , , alpha]) => alpha).filter((alpha) => alpha !== 255)
  return hasTransparency && alphas.length > 0 ? [palette, chunk('tRNS', Buffer.from(alphas))] : [palette]
}
