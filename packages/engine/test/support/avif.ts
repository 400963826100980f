import { box, fullBox, uint8, uint16, uint32 } from '@pixelmill/codecs/isobmff/boxes'
import { composeItems, extent, type Item } from '@pixelmill/codecs/isobmff/compose-items'
import { primaryItemOf } from '@pixelmill/codecs/isobmff/items'
import { visualEntry } from '@pixelmill/codecs/test/support/visual-entry'
import type { Sharp } from 'sharp'

/** AVIF files assembled from coded pictures. */

export interface CodedAv1 {
  readonly width: number
  readonly height: number
  /** The body of an `av1C` box. */
  readonly configuration: Buffer
  readonly data: Buffer
}

/** Pictures of 16 × 16 pixels of one grey in limited range, encoded by avifenc: their `av1C` and their data. */
const greys = {
  '8-bit black': ['81001c00', '12000a08180cffd86021a0c432091000395314a1a23ec0'],
  '8-bit grey': ['81001c00', '12000a08180cffd86021a0c4320610003952f178'],
  '8-bit white': ['81001c00', '12000a08180cffd86021a0c4320910003fa02af1fd31c0'],
  '10-bit black': ['81005c00', '12000a08180cffd8e021a0c432091000395314a165e994'],
  '10-bit grey': ['81005c00', '12000a08180cffd8e021a0c432071000395314ac7d'],
  '10-bit white': ['81005c00', '12000a08180cffd8e021a0c43209100039531446f33b8c'],
  '12-bit black': ['81407c00', '12000a08580cffd8f010d062320a10003fa02b75d5b3f4c0'],
  '12-bit grey': ['81407c00', '12000a08580cffd8f010d06232081000395314a2ab0c'],
  '12-bit white': ['81407c00', '12000a08580cffd8f010d062320a100039531446e4d3c4c0'],
} as const
export type LimitedGrey = keyof typeof greys
export const limitedGreys = Object.keys(greys) as readonly LimitedGrey[]

export function limitedGrey(name: LimitedGrey): CodedAv1 {
  const [configuration, data] = greys[name]
  return { width: 16, height: 16, configuration: Buffer.from(configuration, 'hex'), data: Buffer.from(data, 'hex') }
}

/** Encodes a picture with libaom. */
export async function codedAv1(pixels: Sharp): Promise<CodedAv1> {
  const { data: file, info } = await pixels.avif({ quality: 90, effort: 0 }).toBuffer({ resolveWithObject: true })
  const item = primaryItemOf(file)
  const configuration = item?.properties.find(({ type }) => type === 'av1C')?.body
  if (!item || !configuration) throw new Error('sharp wrote no picture of AV1')
  return { width: info.width, height: info.height, configuration, data: item.data }
}

export const codePoints = (primaries: number, transfer: number, matrix: number, fullRange: boolean): Buffer =>
  box('colr', Buffer.from('nclx', 'latin1'), uint16(primaries, transfer, matrix), uint8(fullRange ? 0x80 : 0))

export const av1Item = ({ width, height, configuration, data }: CodedAv1, ...properties: readonly Buffer[]): Item => ({
  type: 'av01',
  hidden: false,
  properties: [extent(width, height), box('av1C', configuration), ...properties],
  data,
})

export const alphaMark = fullBox('auxC', 0, 0, Buffer.from('urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'latin1'))

/** A file with these pictures; the first is the primary item. */
export const avifOf = (items: readonly Item[], brands = 'avif\0\0\0\0avifmif1miaf'): Buffer => composeItems(brands, items, 1)

interface Track {
  readonly handler: 'pict' | 'auxv'
  readonly frames: readonly CodedAv1[]
  /** The name of its sample entries. */
  readonly codec?: string
  readonly colour?: Buffer
}

const unity = uint32(0x1_0000, 0, 0, 0, 0x1_0000, 0, 0, 0, 0x4000_0000)

/** An image sequence in which every frame is a key frame; `start` is inserted between its first box and its movie. */
export function avifSequence(tracks: readonly Track[], start: Buffer = Buffer.alloc(0)): Buffer {
  const ftyp = box('ftyp', Buffer.from('avis\0\0\0\0avifavismsf1miaf', 'latin1'))
  const movie = (dataAt: number) => {
    let at = dataAt
    const boxes = tracks.map((track, index) => {
      const bytes = trackBox(track, index + 1, at)
      at += track.frames.reduce((sum, { data }) => sum + data.length, 0)
      return bytes
    })
    return box(
      'moov',
      fullBox('mvhd', 0, 0, uint32(0, 0, 10, 3, 0x1_0000), Buffer.alloc(12), unity, Buffer.alloc(24), uint32(3)),
      ...boxes,
    )
  }
  const dataAt = ftyp.length + start.length + movie(0).length + 8
  const data = tracks.flatMap(({ frames }) => frames.map(({ data }) => data))
  return Buffer.concat([ftyp, start, movie(dataAt), box('mdat', ...data)])
}

function trackBox({ handler, frames, codec = 'av01', colour }: Track, id: number, dataAt: number): Buffer {
  const [first] = frames
  if (!first) throw new Error('a track needs a frame')
  const entry = visualEntry(codec, first, box('av1C', first.configuration), ...(colour ? [colour] : []))
  const table = box(
    'stbl',
    fullBox('stsd', 0, 0, uint32(1), entry),
    fullBox('stts', 0, 0, uint32(1, frames.length, 1)),
    fullBox('stsc', 0, 0, uint32(1, 1, frames.length, 1)),
    fullBox('stsz', 0, 0, uint32(0, frames.length, ...frames.map(({ data }) => data.length))),
    fullBox('stco', 0, 0, uint32(1, dataAt)),
  )
  const size = uint32(first.width << 16, first.height << 16)
  return box(
    'trak',
    fullBox('tkhd', 0, 3, uint32(0, 0, id, 0, frames.length), Buffer.alloc(16), unity, size),
    box(
      'mdia',
      fullBox('mdhd', 0, 0, uint32(0, 0, 10, frames.length, 0)),
      fullBox('hdlr', 0, 0, uint32(0), Buffer.from(handler, 'latin1'), Buffer.alloc(13)),
      box('minf', fullBox('vmhd', 0, 1, Buffer.alloc(8)), table),
    ),
  )
}
