import type { Cicp } from '../icc/cicp.ts'
import { boxesIn } from './boxes.ts'

/**
 * The colour code points of a file without an ICC profile: its `colr` box of type nclx (ISO/IEC 23008-12, 6.5.5). All
 * items of a file have the same in practice, so which one a box belongs to is not asked.
 */
export function codePointsOf(file: Buffer): Cicp | undefined {
  const inside = (bytes: Buffer | undefined, type: string): Buffer | undefined =>
    bytes && boxesIn(bytes).find((box) => box.type === type)?.body
  const properties = inside(inside(inside(file, 'meta')?.subarray(4), 'iprp'), 'ipco')
  const colours = boxesIn(properties ?? Buffer.alloc(0)).filter(({ type, body }) => type === 'colr' && body.length >= 8)
  const kinds = colours.map(({ body }) => body.toString('latin1', 0, 4))
  const nclx = colours[kinds.indexOf('nclx')]?.body
  if (!nclx || kinds.includes('prof') || kinds.includes('rICC')) return undefined
  return { primaries: nclx.readUInt16BE(4), transfer: nclx.readUInt16BE(6) }
}
