import { ensure } from './ensure.ts'
import type { InfoHeader } from './info-header.ts'
import { CORE_HEADER_BYTES } from './layout.ts'

/** A colour table of 256 entries, opaque black where the file has no more. */
export interface Palette {
  /** Red, green, blue and 255. */
  readonly rgba: Uint8Array
  /** The same memory, a number for each entry. */
  readonly packed: Uint32Array
  /** Whether all of its colours are grey. */
  readonly grey: boolean
}

const ENTRIES = 256

/** The colour table, as far as it reaches before the pixels. A file may say more entries than there are, or none. */
export function readPalette(bytes: Buffer, { length, colours, coloursAt, pixelsAt }: InfoHeader, bits: number): Palette {
  const entryBytes = length === CORE_HEADER_BYTES ? 3 : 4
  const space = Math.floor((Math.min(pixelsAt, bytes.length) - coloursAt) / entryBytes)
  const entries = Math.min(colours || ENTRIES, 2 ** bits, space)
  ensure(entries > 0, 'it has no colour table')
  const rgba = new Uint8Array(ENTRIES * 4)
  for (let alpha = 3; alpha < rgba.length; alpha += 4) rgba[alpha] = 255
  let grey = true
  for (let entry = 0; entry < entries; entry++) {
    const from = coloursAt + entry * entryBytes
    const [blue = 0, green = 0, red = 0] = bytes.subarray(from, from + 3)
    rgba.set([red, green, blue], entry * 4)
    grey &&= red === green && green === blue
  }
  return { rgba, packed: new Uint32Array(rgba.buffer), grey }
}
