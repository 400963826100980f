import { composeItems } from '../isobmff/compose-items.ts'
import { boxOf, copiedPicture } from '../isobmff/copy-picture.ts'
import { type RelatedItem, relatedItemsOf } from '../isobmff/items.ts'

/** By how much the coded size may exceed the displayed one before libheif rejects it. */
const MARGIN = 64
const BRANDS = 'heic\0\0\0\0mif1heicheix'

/**
 * A file that libheif can decode if a coded picture is much larger than its visible part (`clap`, ISO/IEC 14496-12, 12.1.4):
 * libheif 1.23 uses the visible size as the limit of the coded one, and refuses it. The picture is rewritten as one derived from
 * another (`iden`, ISO/IEC 23008-12, 6.6.2.1), which has no aperture. Other files are returned unchanged.
 */
export function withWideApertures(file: Buffer): Buffer {
  // A quick test: almost no file has one.
  if (!file.includes('clap')) return file
  const relatedItems = relatedItemsOf(file)
  if (!relatedItems.some(isNarrow)) return file
  const items = copiedPicture(relatedItems)
  for (const [index, item] of relatedItems.entries()) {
    if (!isNarrow(item)) continue
    const codedProperties = item.properties.filter(({ type }) => CODED.includes(type)).map(boxOf)
    items.push({ type: item.type, hidden: true, properties: codedProperties, data: item.data })
    const shownProperties = item.properties.filter(({ type }) => type !== 'hvcC').map(boxOf)
    const relations = items[index]?.alphaOf === undefined ? {} : { alphaOf: items[index]?.alphaOf as number }
    items[index] = {
      type: 'iden',
      hidden: index > 0,
      properties: shownProperties,
      data: Buffer.alloc(0),
      parts: [items.length],
      ...relations,
    }
  }
  return composeItems(BRANDS, items, 1)
}

/** The properties that a decoder needs: size, configuration and colours. */
const CODED: readonly string[] = ['ispe', 'hvcC', 'colr', 'pixi']

/** Whether it is coded by HEVC and far larger than its aperture. */
function isNarrow({ properties }: RelatedItem): boolean {
  const body = (boxType: string, bytes: number) =>
    properties.find(({ type, body }) => type === boxType && body.length >= bytes)?.body
  const aperture = body('clap', 32)
  const size = body('ispe', 12)
  if (!aperture || !size || !body('hvcC', 1)) return false
  const fraction = (at: number) => aperture.readUInt32BE(at) / (aperture.readUInt32BE(at + 4) || 1)
  return size.readUInt32BE(4) * size.readUInt32BE(8) > (fraction(0) + MARGIN) * (fraction(8) + MARGIN)
}
