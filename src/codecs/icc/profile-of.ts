import { colorants, D50, type Xyz } from './colorants.ts'
import type { Curve, RgbSpace } from './rgb-space.ts'

/** Entries of a sampled curve: steps of 1/4095 keep 8 bits exact, near black too. */
const CURVE_ENTRIES = 4096
const HEADER_BYTES = 128
const ENTRY_BYTES = 12

/** s15Fixed16Number (ICC.1:2022, 4.6). */
const fixed = (value: number): number => Math.round(value * 65_536)

function xyzTag([x, y, z]: Xyz): Buffer {
  const tag = Buffer.alloc(20)
  tag.write('XYZ ', 'latin1')
  tag.writeInt32BE(fixed(x), 8)
  tag.writeInt32BE(fixed(y), 12)
  tag.writeInt32BE(fixed(z), 16)
  return tag
}

function curveTag(curve: Curve): Buffer {
  const tag = Buffer.alloc(12 + CURVE_ENTRIES * 2)
  tag.write('curv', 'latin1')
  tag.writeUInt32BE(CURVE_ENTRIES, 8)
  for (let entry = 0; entry < CURVE_ENTRIES; entry++) {
    const linear = Math.min(1, Math.max(0, curve(entry / (CURVE_ENTRIES - 1))))
    tag.writeUInt16BE(Math.round(linear * 65_535), 12 + entry * 2)
  }
  return tag
}

/**
 * A matrix and curve profile of the space, for LittleCMS to convert from: ICC version 2, display class (ICC.1:2001-04,
 * 6.3.2 but for its texts, which nobody reads).
 */
export function profileOf(space: RgbSpace): Buffer {
  const [red, green, blue] = colorants(space)
  const [redCurve, greenCurve, blueCurve] = space.curves
  const tags: readonly (readonly [signature: string, data: Buffer])[] = [
    ['wtpt', xyzTag(D50)],
    ['rXYZ', xyzTag(red)],
    ['gXYZ', xyzTag(green)],
    ['bXYZ', xyzTag(blue)],
    ['rTRC', curveTag(redCurve)],
    ['gTRC', curveTag(greenCurve)],
    ['bTRC', curveTag(blueCurve)],
  ]
  const table = Buffer.alloc(4 + tags.length * ENTRY_BYTES)
  table.writeUInt32BE(tags.length)
  let offset = HEADER_BYTES + table.length
  for (const [index, [signature, data]] of tags.entries()) {
    const entry = 4 + index * ENTRY_BYTES
    table.write(signature, entry, 'latin1')
    table.writeUInt32BE(offset, entry + 4)
    table.writeUInt32BE(data.length, entry + 8)
    offset += data.length
  }
  return Buffer.concat([header(offset), table, ...tags.map(([, data]) => data)])
}

function header(size: number): Buffer {
  const bytes = Buffer.alloc(HEADER_BYTES)
  bytes.writeUInt32BE(size, 0)
  bytes.writeUInt32BE(0x02_20_00_00, 8)
  bytes.write('mntrRGB XYZ ', 12, 'latin1')
  bytes.write('acsp', 36, 'latin1')
  xyzTag(D50).copy(bytes, 68, 8)
  return bytes
}
