import { inflateSync } from 'node:zlib'
import { unfilterRows } from '@pixelmill/kernels/png'
import { release } from './pixels/release.ts'
import { chunksIn, colourType, HEADER_FIELD_BYTES, hasSoundChecksum, SIGNATURE } from './png-file.ts'
import type { ColourSamples } from './reader.ts'

/**
 * The samples of a sound PNG of 8-bit colour that is not interlaced, in three quarters of libvips' time. Of every other file nothing is
 * said: libvips then decodes it, or refuses it, so that no file is judged here. Colour management and orientation are the caller's.
 */
export function decodePng(file: Buffer): ColourSamples | undefined {
  const header = headerOf(file)
  const data = header && pixelDataOf(file)
  if (!data) return undefined
  const { width, height, channels } = header
  const rowBytes = width * channels
  const rows = inflate(data, height * (1 + rowBytes))
  if (data.buffer !== file.buffer) release({ data })
  const isSound = rows && unfilterRows({ data: rows, rows: height, rowBytes, pixelBytes: channels })
  return isSound ? { width, height, channels, data: rows.subarray(0, height * rowBytes), frames: 1 } : undefined
}

/** In the data of the first chunk (third edition, 11.2.1). */
const DEPTH_AT = 8
/** 8 bits of colour with one method of compression, one of filtering, and no interlacing. */
const channelsByFields: ReadonlyMap<string, 3 | 4> = new Map([
  [[8, colourType.colour, 0, 0, 0].join(), 3],
  [[8, colourType.colourAlpha, 0, 0, 0].join(), 4],
])

function headerOf(file: Buffer) {
  const first = file.subarray(0, SIGNATURE.length).equals(SIGNATURE) ? chunksIn(file).next().value : undefined
  if (first?.type !== 'IHDR' || first.data.length !== HEADER_FIELD_BYTES) return undefined
  const channels = channelsByFields.get([...first.data.subarray(DEPTH_AT)].join())
  const width = first.data.readUInt32BE(0)
  const height = first.data.readUInt32BE(4)
  return channels && width > 0 && height > 0 ? { width, height, channels } : undefined
}

/** Chunks that change no sample here: the space of colours is looked at by `pngSpace`, the rest is no part of the picture. */
const harmless: ReadonlySet<string> = new Set(['sRGB', 'gAMA', 'cHRM', 'pHYs', 'bKGD', 'tIME', 'tEXt', 'zTXt', 'iTXt', 'eXIf'])

/** The compressed rows; undefined unless every chunk up to the end is whole, in order, and of a known kind. */
function pixelDataOf(file: Buffer): Buffer | undefined {
  const parts: Buffer[] = []
  let isBehindPixels = false
  for (const chunk of chunksIn(file)) {
    const { type, data, at } = chunk
    if (!hasSoundChecksum(file, chunk)) return undefined
    if (type === 'IEND') return data.length === 0 && parts.length > 0 ? join(parts) : undefined
    if (type === 'IDAT') {
      if (isBehindPixels) return undefined
      parts.push(data)
    } else if (harmless.has(type)) isBehindPixels = parts.length > 0
    else if (at > SIGNATURE.length || type !== 'IHDR') return undefined
  }
  return undefined
}

const join = (parts: readonly Buffer[]): Buffer => (parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts))

/** Undefined unless there are exactly so many bytes. */
function inflate(data: Buffer, bytes: number): Buffer | undefined {
  try {
    // In one piece: zlib asks for another one where the first is full.
    const rows = inflateSync(data, { maxOutputLength: bytes, chunkSize: bytes + 1 })
    return rows.length === bytes ? rows : undefined
  } catch {
    // libvips says what is wrong, or that it can be read all the same.
    return undefined
  }
}
