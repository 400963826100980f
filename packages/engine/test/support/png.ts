import { crc32 } from 'node:zlib'

/** Builds PNGs from chunks. */

export const chunk = (type: string, ...data: readonly Buffer[]): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...data])
  const length = Buffer.alloc(4)
  const check = Buffer.alloc(4)
  length.writeUInt32BE(body.length - 4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}

/** 32 bits each. */
export const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4)
  return bytes
}

/** A PNG with an extra chunk after its header, and without those of `omittedTypes`. */
export function withChunk(png: Buffer, newChunk: Buffer, omittedTypes: readonly string[] = []): Buffer {
  const chunks: Buffer[] = []
  for (let at = 33; at < png.length; ) {
    const end = at + 12 + png.readUInt32BE(at)
    if (!omittedTypes.includes(png.toString('latin1', at + 4, at + 8))) chunks.push(png.subarray(at, end))
    at = end
  }
  return Buffer.concat([png.subarray(0, 33), newChunk, ...chunks])
}
