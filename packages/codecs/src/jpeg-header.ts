import type { UsualHeader } from './codec.ts'
import { orientationOf } from './exif.ts'
import { APP1, APP2, EXIF_HEADER, SOI_BYTES, SOS } from './jpeg-segments.ts'

/** Baseline, extended and progressive DCT with Huffman codes (ITU-T T.81, table B.1). */
const FRAMES: readonly number[] = [0xc0, 0xc1, 0xc2]
/** Of the codes of frames, those that begin none: Huffman tables, and what arithmetic coding needs. */
const NO_FRAMES: readonly number[] = [0xc4, 0xc8, 0xcc]

const ICC_HEADER = Buffer.from('ICC_PROFILE\0\x01\x01', 'latin1')
const ICC_NAME_BYTES = 12

/**
 * The header of a JPEG as cameras and programs write it, in a fifteenth of the CPU that opening it takes (0.02 and 0.33 ms). Undefined of whatever
 * is unusual: other frames than 8 bits of one or three components, stray bytes between segments, EXIF or a profile in several parts, an empty profile.
 */
export function usualJpegHeader(bytes: Buffer): UsualHeader | undefined {
  let size: Pick<UsualHeader, 'width' | 'height' | 'grey'> | undefined
  let exif: Buffer | undefined
  let profile = false
  for (let at = SOI_BYTES; at + 4 <= bytes.length; ) {
    const code = bytes.readUInt8(at + 1)
    const end = at + 2 + bytes.readUInt16BE(at + 2)
    if (bytes[at] !== 0xff || code < 0xc0 || code === 0xff || end < at + 4 || end > bytes.length) return undefined
    const body = bytes.subarray(at + 4, end)
    if (code === SOS) return size && { ...size, profile, orientation: exif ? orientationOf(exif) : 1 }
    if (code <= 0xcf && !NO_FRAMES.includes(code)) {
      if (size || !FRAMES.includes(code)) return undefined
      size = sizeIn(body)
      if (!size) return undefined
    }
    if (code === APP1 && startsWith(body, EXIF_HEADER)) {
      if (exif) return undefined
      exif = body.subarray(EXIF_HEADER.length)
    }
    if (code === APP2 && startsWith(body, ICC_HEADER.subarray(0, ICC_NAME_BYTES))) {
      if (profile || !startsWith(body, ICC_HEADER) || body.length === ICC_HEADER.length) return undefined
      profile = true
    }
    at = end
  }
  return undefined
}

const startsWith = (body: Buffer, begin: Buffer): boolean => body.subarray(0, begin.length).equals(begin)

/** Bytes of a frame's segment before its components, and for each. */
const FRAME_BYTES = 6
const COMPONENT_BYTES = 3

function sizeIn(body: Buffer): Pick<UsualHeader, 'width' | 'height' | 'grey'> | undefined {
  if (body.length < FRAME_BYTES) return undefined
  const components = body.readUInt8(5)
  const height = body.readUInt16BE(1)
  const width = body.readUInt16BE(3)
  const isUsual = body.readUInt8(0) === 8 && (components === 1 || components === 3)
  if (!isUsual || width === 0 || height === 0 || body.length !== FRAME_BYTES + COMPONENT_BYTES * components) return undefined
  return { width, height, grey: components === 1 }
}
