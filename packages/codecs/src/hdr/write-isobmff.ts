import type { Codec } from '../codec.ts'
import { box, fullBox, uint8, uint16 } from '../isobmff/boxes.ts'
import { composeItems } from '../isobmff/compose-items.ts'
import { copiedPicture } from '../isobmff/copy-picture.ts'
import { relatedItemsOf } from '../isobmff/items.ts'
import { hasGainMap, isAppleMap } from '../metadata/gain-maps.ts'
import { serialiseIso } from './iso-21496.ts'
import type { GainMapValues } from './values.ts'

/** Large HEICs are grids of tiles. */
const MOST_ITEMS = 512

/** The HDR picture that both make: sRGB's primaries, perceptual quantisation (H.273: 1, 16, 0), full range, 10 bits. */
const hdrColours = box('colr', Buffer.from('nclx', 'latin1'), uint16(1, 16, 0), uint8(0x80))
const hdrDepth = fullBox('pixi', 0, 0, uint8(3, 10, 10, 10))

/**
 * An AVIF or HEIC with its gain map, both written by us: a `tmap` item made of both (ISO/IEC 23008-12, amendment 1), which readers that
 * know it prefer.
 * @param map the map in a file of the same format
 */
export function withMapItems(file: Buffer, { gainMap, title }: Codec, map: Buffer, values: GainMapValues): Buffer {
  const items = pictureOf(file)
  const size = items[0]?.properties.find((property) => property.toString('latin1', 4, 8) === 'ispe')
  if (!size || !gainMap?.brands) throw new Error(`a ${title} without a picture got a gain map`)
  const main = 1
  const gains = pictureOf(map, items.length).map((item) => ({ ...item, hidden: true }))
  const toneMapped = {
    type: 'tmap',
    hidden: false,
    properties: [size, hdrDepth, hdrColours],
    data: Buffer.concat([uint8(0), serialiseIso(values)]),
    parts: [main, items.length + 1],
  }
  const all = [...items, ...gains, toneMapped]
  // The brand `tmap` says that there is a map.
  return composeItems(`${gainMap.brands}tmap`, all, main, [all.length, main])
}

/** The file without any map; other formats, and damaged files, are returned unchanged. */
export function withoutMapItems(file: Buffer, codec: Codec): Buffer {
  const { brands } = codec.gainMap ?? {}
  if (!brands || !hasGainMap(file, codec)) return file
  const items = pictureOf(file)
  return items.length > 0 ? composeItems(brands, items, 1) : file
}

const pictureOf = (file: Buffer, before = 0) =>
  copiedPicture(
    relatedItemsOf(file, undefined, MOST_ITEMS).filter(({ properties }) => !properties.some(isAppleMap)),
    before,
  )
