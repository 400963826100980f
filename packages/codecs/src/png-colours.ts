export type Rgba = readonly [red: number, green: number, blue: number, alpha: number]

/** What a PNG needs to hold a picture without loss. */
export interface Colours {
  /** Every pixel is a shade of grey. */
  readonly grey: boolean
  readonly opaque: boolean
  /** The colours and, for each pixel, the number of its own; undefined above 256 colours. */
  readonly few: { readonly colours: readonly Rgba[]; readonly numbers: Uint8Array } | undefined
}

interface Pixels {
  readonly data: Uint8Array
  readonly width: number
  readonly height: number
  readonly channels: 1 | 2 | 3 | 4
}

/**
 * Looks at 8-bit pixels with one to four channels. A photograph is given up after its first few hundred pixels, unless it is grey or
 * its transparency is still to be seen.
 */
export function coloursOf({ data, width, height, channels }: Pixels): Colours {
  const table = colourTable()
  const numbers = new Uint8Array(width * height)
  const hasAlpha = channels % 2 === 0
  let grey = true
  let opaque = true
  let last = -1
  let number: number | undefined = 0
  for (let pixel = 0; pixel < numbers.length; pixel++) {
    const at = pixel * channels
    const red = data[at] as number
    const green = channels < 3 ? red : (data[at + 1] as number)
    const blue = channels < 3 ? red : (data[at + 2] as number)
    const alpha = hasAlpha ? (data[at + channels - 1] as number) : 255
    const colour = ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0
    if (colour !== last) {
      last = colour
      grey &&= red === green && red === blue
      opaque &&= alpha === 255
      number = number === undefined ? undefined : table.numberOf(colour)
      const isKnown = number === undefined && !grey && !(hasAlpha && opaque)
      if (isKnown) return { grey, opaque: opaque && !hasAlpha, few: undefined }
    }
    if (number !== undefined) numbers[pixel] = number
  }
  return { grey, opaque, few: number === undefined ? undefined : { colours: table.colours().map(rgbaOf), numbers } }
}

const rgbaOf = (colour: number): Rgba => [colour & 255, (colour >> 8) & 255, (colour >> 16) & 255, colour >>> 24]

export const MOST_COLOURS = 256
/** Places of the table: four for each colour, so that few colours meet. */
const PLACES = 4 * MOST_COLOURS
/** The golden ratio as a fraction of 2³² spreads similar colours over the table (Knuth, volume 3, 6.4); its ten highest bits count. */
const SPREAD = 0x9e3779b1
const SHIFT = 22
const FREE = -1

/** Numbers colours in the order in which they come. */
function colourTable() {
  const numbers = new Int16Array(PLACES).fill(FREE)
  const keys = new Uint32Array(PLACES)
  let count = 0

  /** Undefined for a colour above the 256th. */
  function numberOf(colour: number): number | undefined {
    let place = Math.imul(colour, SPREAD) >>> SHIFT
    while (numbers[place] !== FREE && keys[place] !== colour) place = (place + 1) % PLACES
    if (numbers[place] !== FREE) return numbers[place]
    if (count === MOST_COLOURS) return undefined
    numbers[place] = count
    keys[place] = colour
    return count++
  }

  function colours(): readonly number[] {
    const counts = new Array<number>(count).fill(0)
    for (const [place, number] of numbers.entries()) if (number !== FREE) counts[number] = keys[place] as number
    return counts
  }

  return { numberOf, colours }
}
