import { jpegContainer } from '../metadata/containers/jpeg.ts'
import { HDRGM } from '../metadata/gain-maps.ts'
import { packetOf } from '../metadata/xmp.ts'
import { adobeDescription } from './adobe.ts'
import { ISO_MARK, serialiseIso } from './iso-21496.ts'
import type { GainMapValues } from './values.ts'

/** The map's JPEG with its values by ISO, and for older readers by Adobe in XMP. */
export function describedMap(jpeg: Buffer, values: GainMapValues, xmp = true): Buffer {
  const packet = xmp ? packetOf(adobeDescription(values)) : undefined
  const describedJpeg = packet ? jpegContainer.write(jpeg, { xmp: packet }, { width: 0, height: 0 }) : jpeg
  return behindMetadata(describedJpeg, [app2(ISO_MARK, serialiseIso(values))])
}

const GOOGLE = 'http://ns.google.com/photos/1.0/container/'

/** What the picture's XMP says of its map: that it is behind the picture, and how long it is (Android, "Ultra HDR image format"). */
export const mapDescription = (mapBytes: number): string =>
  `<rdf:Description rdf:about="" xmlns:hdrgm="${HDRGM}" xmlns:Container="${GOOGLE}" xmlns:Item="${GOOGLE}item/" hdrgm:Version="1.0">` +
  '<Container:Directory><rdf:Seq>' +
  '<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" Item:Mime="image/jpeg"/></rdf:li>' +
  `<rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="GainMap" Item:Mime="image/jpeg" Item:Length="${mapBytes}"/></rdf:li>` +
  '</rdf:Seq></Container:Directory></rdf:Description>'

/** The picture with the map behind it, and a directory of both. Its other metadata must be there already: nothing may move afterwards. */
export function withMap(jpeg: Buffer, map: Buffer): Buffer {
  const before = startOfRest(jpeg)
  const version = app2(ISO_MARK, Buffer.alloc(4))
  const directoryAt = before + version.length
  const primaryBytes = jpeg.length + version.length + DIRECTORY_BYTES
  const directory = app2(MULTI_PICTURE, multiPicture(primaryBytes, map.length, directoryAt + SEGMENT_HEAD + MULTI_PICTURE.length))
  return Buffer.concat([behindMetadata(jpeg, [version, directory]), map])
}

const SOI_BYTES = 2
const SEGMENT_HEAD = 4
const APP0 = 0xe0
const APP1 = 0xe1
const APP2 = 0xe2

/** Behind JFIF, EXIF and XMP, which readers expect first. */
function startOfRest(jpeg: Buffer): number {
  let at = SOI_BYTES
  while (at + SEGMENT_HEAD <= jpeg.length && jpeg[at] === 0xff && [APP0, APP1].includes(jpeg[at + 1] ?? 0))
    at += 2 + jpeg.readUInt16BE(at + 2)
  return at
}

function behindMetadata(jpeg: Buffer, segments: readonly Buffer[]): Buffer {
  const at = startOfRest(jpeg)
  return Buffer.concat([jpeg.subarray(0, at), ...segments, jpeg.subarray(at)])
}

function app2(name: Buffer, data: Buffer): Buffer {
  const head = Buffer.from([0xff, APP2, 0, 0])
  head.writeUInt16BE(name.length + data.length + 2, 2)
  return Buffer.concat([head, name, data])
}

const MULTI_PICTURE = Buffer.from('MPF\0', 'latin1')
/** CIPA DC-007, 5.2: tags of the version, the number of pictures and the list of them, whose entries have 16 bytes. */
const tags = { version: 0xb000, count: 0xb001, list: 0xb002 } as const
const UNDEFINED = 7
const LONG = 4
const HEADER = 8
const ENTRY = 12
const LIST_AT = 50
/** The main picture of a file is a baseline MP primary image (5.2.3.3.1). */
const PRIMARY = 0x030000
const LIST_BYTES = 32
const DIRECTORY_BYTES = SEGMENT_HEAD + MULTI_PICTURE.length + LIST_AT + LIST_BYTES

/** @param startsAt the position of this structure in the file, from which the places of further pictures count */
function multiPicture(primaryBytes: number, mapBytes: number, startsAt: number): Buffer {
  const data = Buffer.alloc(LIST_AT + LIST_BYTES)
  data.write('MM\0*\0\0\0\x08', 'latin1')
  data.writeUInt16BE(3, HEADER)
  const rows = [
    [tags.version, UNDEFINED, 4, Buffer.from('0100').readUInt32BE()],
    [tags.count, LONG, 1, 2],
    [tags.list, UNDEFINED, LIST_BYTES, LIST_AT],
  ] as const
  for (const [index, [tag, type, count, value]] of rows.entries()) {
    const at = HEADER + 2 + index * ENTRY
    data.writeUInt16BE(tag, at)
    data.writeUInt16BE(type, at + 2)
    data.writeUInt32BE(count, at + 4)
    data.writeUInt32BE(value, at + 8)
  }
  for (const [index, value] of [PRIMARY, primaryBytes, 0, 0, 0, mapBytes, primaryBytes - startsAt, 0].entries())
    data.writeUInt32BE(value, LIST_AT + index * 4)
  return data
}
