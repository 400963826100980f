import { type Box, uint8, uint16 } from '../isobmff/boxes.ts'
import { composeItems } from '../isobmff/compose-items.ts'
import { copiedPicture } from '../isobmff/copy-picture.ts'
import { itemsOfType, type RelatedItem, relatedItemsOf } from '../isobmff/items.ts'
import { isobmffContainer } from '../metadata/containers/isobmff.ts'
import { isAppleMap } from '../metadata/gain-maps.ts'
import { APPLE_MAP, appleStops } from './apple.ts'
import { parseIso } from './iso-21496.ts'
import { type StoredMap, usable } from './values.ts'

/** A photograph of 50 megapixels has 200 tiles of 512 × 512. */
const MOST_ITEMS = 512
/** Behind the version of the item come the values (ISO/IEC 23008-12, amendment 1: `ToneMapImage`). */
const TONE_MAP_VERSION_BYTES = 1

/** The gain map of an AVIF or HEIC: of its `tmap` item, or Apple's auxiliary picture; undefined where it has none, or a damaged one. */
export function mapInIsobmff(file: Buffer): StoredMap | undefined {
  const [toneMap] = itemsOfType(file, 'tmap')
  const values = usable(toneMap && parseIso(toneMap.data.subarray(TONE_MAP_VERSION_BYTES)))
  if (!toneMap || !values) return appleMap(file)
  // It is made of the picture and of its map.
  const [, map] = relatedItemsOf(file, toneMap.id, MOST_ITEMS)[0]?.parts ?? []
  const picture = map === undefined ? undefined : pictureOf(file, map)
  return picture && { picture, values }
}

function appleMap(file: Buffer): StoredMap | undefined {
  const map = relatedItemsOf(file, undefined, MOST_ITEMS).find(({ properties }) => properties.some(isAppleMap))
  const xmp = itemsOfType(file, 'mime').find(({ data }) => data.includes(APPLE_MAP))?.data
  const stops = appleStops(xmp, isobmffContainer.read(file).exif)
  const picture = map && pictureOf(file, map.id)
  return picture && stops !== undefined ? { picture, values: { appleStops: stops } } : undefined
}

/** A file with the map as its only picture. */
function pictureOf(file: Buffer, map: number): Buffer | undefined {
  const [first, ...others] = relatedItemsOf(file, map, MOST_ITEMS)
  if (!first) return undefined
  const pictureItems = [first, ...others.filter(({ alphaOf }) => alphaOf === undefined)]
  const [main] = relatedItemsOf(file, undefined, MOST_ITEMS)
  const hasTurn = first.properties.some(isTurn)
  const turns = hasTurn ? [] : (main?.properties.filter(isTurn) ?? [])
  const propertiesOf = (item: RelatedItem) => [
    ...item.properties.filter(isCoding).map(plainColours),
    ...(item === first ? turns : []),
  ]
  const isAv1 = pictureItems.some(({ type }) => type === 'av01')
  return composeItems(
    isAv1 ? 'avif\0\0\0\0avifmif1miaf' : 'heic\0\0\0\0mif1heic',
    copiedPicture(pictureItems, 0, propertiesOf),
    1,
  )
}

const isTurn = ({ type }: Box): boolean => type === 'irot' || type === 'imir'
const isProfile = (body: Buffer): boolean => body.toString('latin1', 0, 4) !== 'nclx'
const isCoding = ({ type, body }: Box): boolean => type !== 'auxC' && !(type === 'colr' && isProfile(body))

/** A map's samples are no colours: with sRGB's code points (H.273: 1, 13) they are decoded as they are. */
function plainColours({ type, body }: Box): Box {
  if (type !== 'colr') return { type, body }
  const matrix = body.length >= 10 ? body.readUInt16BE(8) : 2
  return { type, body: Buffer.concat([Buffer.from('nclx'), uint16(1, 13, matrix), uint8(body[10] ?? 0x80)]) }
}
