import type { Container, MetadataBlocks } from '../blocks.ts'

const SOI_BYTES = 2
const SOS = 0xda
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2
const APP13 = 0xed
/** Of a segment, besides its marker and the two bytes of its length. */
const MOST_BYTES = 65_533
/** The names by which applications tell their segments apart (CIPA DC-008, 4.7.2; XMP, part 3, 1.1.3; ICC.1:2022, B.4). */
const EXIF = Buffer.from('Exif\0\0', 'latin1')
const XMP = Buffer.from('http://ns.adobe.com/xap/1.0/\0', 'latin1')
const ICC = Buffer.from('ICC_PROFILE\0', 'latin1')
const PHOTOSHOP = Buffer.from('Photoshop 3.0\0', 'latin1')
/** After the name of a piece of a profile: its number, and how many there are. */
const ICC_HEADER_BYTES = ICC.length + 2

interface Segment {
  readonly marker: number
  readonly body: Buffer
}

/** The segments before the first scan. */
export function* segmentsIn(file: Buffer): Generator<Segment> {
  for (let at = SOI_BYTES; at + 4 <= file.length && file[at] === 0xff && file[at + 1] !== SOS; ) {
    if (file[at + 1] === 0xff) {
      at++
      continue
    }
    const end = at + 2 + file.readUInt16BE(at + 2)
    if (end > file.length) return
    yield { marker: file[at + 1] ?? 0, body: file.subarray(at + 4, end) }
    at = end
  }
}

function read(file: Buffer): MetadataBlocks {
  const segments = [...segmentsIn(file)]
  const segmentsNamed = (segmentMarker: number, name: Buffer) =>
    segments
      .filter(({ marker, body }) => marker === segmentMarker && body.subarray(0, name.length).equals(name))
      .map(({ body }) => body)
  const [exif] = segmentsNamed(APP1, EXIF)
  const [xmp] = segmentsNamed(APP1, XMP)
  const photoshop = Buffer.concat(segmentsNamed(APP13, PHOTOSHOP).map((body) => body.subarray(PHOTOSHOP.length)))
  const pieces = segmentsNamed(APP2, ICC).toSorted((one, other) => (one[ICC.length] ?? 0) - (other[ICC.length] ?? 0))
  return {
    exif: exif?.subarray(EXIF.length),
    xmp: xmp?.subarray(XMP.length),
    iptc: iptcIn(photoshop),
    icc: pieces.length > 0 ? Buffer.concat(pieces.map((body) => body.subarray(ICC_HEADER_BYTES))) : undefined,
  }
}

/** An image resource of Photoshop (Adobe Photoshop File Formats, "Image Resource Blocks"): signature, number, name, length, data. */
const RESOURCE = '8BIM'
const IPTC_RESOURCE = 0x0404

function iptcIn(resources: Buffer): Buffer | undefined {
  for (let at = 0; at + 12 <= resources.length && resources.toString('latin1', at, at + 4) === RESOURCE; ) {
    const id = resources.readUInt16BE(at + 4)
    const nameBytes = 1 + (resources[at + 6] ?? 0)
    const lengthAt = at + 6 + nameBytes + (nameBytes & 1)
    if (lengthAt + 4 > resources.length) return undefined
    const length = resources.readUInt32BE(lengthAt)
    const data = resources.subarray(lengthAt + 4, lengthAt + 4 + length)
    if (id === IPTC_RESOURCE) return data
    at = lengthAt + 4 + length + (length & 1)
  }
  return undefined
}

function resource(iptc: Buffer): Buffer {
  const head = Buffer.from(`${RESOURCE}\0\0\0\0\0\0\0\0`, 'latin1')
  head.writeUInt16BE(IPTC_RESOURCE, 4)
  head.writeUInt32BE(iptc.length, 8)
  return Buffer.concat([head, iptc, Buffer.alloc(iptc.length & 1)])
}

/** Behind JFIF's segment, which has to be the first. A block that is longer than a segment is left out; a profile is split. */
function write(jpeg: Buffer, { exif, xmp, iptc, icc }: MetadataBlocks): Buffer {
  const file = exif ? withoutExif(jpeg) : jpeg
  const start = file[SOI_BYTES + 1] === APP0 ? SOI_BYTES + 2 + file.readUInt16BE(SOI_BYTES + 2) : SOI_BYTES
  return Buffer.concat([
    file.subarray(0, start),
    ...(exif ? segment(APP1, EXIF, exif) : []),
    ...(xmp ? segment(APP1, XMP, xmp) : []),
    ...(iptc ? segment(APP13, PHOTOSHOP, resource(iptc)) : []),
    ...(icc ? iccSegments(icc) : []),
    file.subarray(start),
  ])
}

/** A file that was not encoded again may begin with an orientation. */
function withoutExif(file: Buffer): Buffer {
  const isFirst = file[SOI_BYTES + 1] === APP1 && file.subarray(SOI_BYTES + 4, SOI_BYTES + 4 + EXIF.length).equals(EXIF)
  const end = SOI_BYTES + 2 + file.readUInt16BE(SOI_BYTES + 2)
  return isFirst ? Buffer.concat([file.subarray(0, SOI_BYTES), file.subarray(end)]) : file
}

function segment(marker: number, name: Buffer, data: Buffer): readonly Buffer[] {
  const bytes = name.length + data.length
  if (bytes > MOST_BYTES) return []
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(bytes + 2, 2)
  return [head, name, data]
}

function iccSegments(icc: Buffer): readonly Buffer[] {
  const most = MOST_BYTES - ICC_HEADER_BYTES
  const count = Math.ceil(icc.length / most)
  return Array.from({ length: count }, (_, index) =>
    segment(APP2, Buffer.concat([ICC, Buffer.from([index + 1, count])]), icc.subarray(index * most, (index + 1) * most)),
  ).flat()
}

export const jpegContainer: Container = { read, write, iptc: true }
