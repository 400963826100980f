import { brotliDecompressSync } from 'node:zlib'
import { box, fileBoxesIn } from '../../isobmff/boxes.ts'
import { withBoxes } from '../../jxl/boxes.ts'
import type { Container, MetadataBlocks } from '../blocks.ts'

/** ISO/IEC 18181-2, 9.3 and 9.4: the offset of the TIFF structure precedes it; `brob` holds a type and a box compressed by Brotli. */
const OFFSET_BYTES = 4
const TYPE_BYTES = 4
const MOST_UNPACKED = 4 * 1024 * 1024

function read(file: Buffer): MetadataBlocks {
  const boxes = fileBoxesIn(file).map(({ type, body }) =>
    type === 'brob'
      ? { type: body.toString('latin1', 0, TYPE_BYTES), body: unpackBox(body.subarray(TYPE_BYTES)) }
      : { type, body },
  )
  const exif = boxes.find(({ type }) => type === 'Exif')?.body
  return {
    exif: exif && exif.length >= OFFSET_BYTES ? exif.subarray(OFFSET_BYTES + exif.readUInt32BE(0)) : undefined,
    xmp: boxes.find(({ type }) => type === 'xml ')?.body,
  }
}

function unpackBox(data: Buffer): Buffer | undefined {
  try {
    return brotliDecompressSync(data, { maxOutputLength: MOST_UNPACKED })
  } catch {
    // Damaged, or a bomb: as if it were not there.
    return undefined
  }
}

/** The profile is part of the codestream, which the encoder has written. */
const write = (file: Buffer, { exif, xmp }: MetadataBlocks): Buffer =>
  withBoxes(file, [...(exif ? [box('Exif', Buffer.alloc(OFFSET_BYTES), exif)] : []), ...(xmp ? [box('xml ', xmp)] : [])])

export const jxlContainer: Container = { read, write, iptc: false }
