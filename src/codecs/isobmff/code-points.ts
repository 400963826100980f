import type { Cicp } from '../icc/cicp.ts'
import type { Item } from './primary-item.ts'

export interface CodePoints extends Cicp {
  readonly matrix: number
  readonly fullRange: boolean
}

/** The colour code points of a picture without an ICC profile: its `colr` box of type nclx (ISO/IEC 23008-12, 6.5.5). */
export function codePointsOf({ properties }: Item): CodePoints | undefined {
  const colours = properties.filter(({ type, body }) => type === 'colr' && body.length >= 8)
  const kinds = colours.map(({ body }) => body.toString('latin1', 0, 4))
  const nclx = colours[kinds.indexOf('nclx')]?.body
  if (!nclx || nclx.length < 11 || kinds.includes('prof') || kinds.includes('rICC')) return undefined
  const [primaries, transfer, matrix] = [nclx.readUInt16BE(4), nclx.readUInt16BE(6), nclx.readUInt16BE(8)]
  return { primaries, transfer, matrix, fullRange: nclx.readUInt8(10) >= 0x80 }
}
