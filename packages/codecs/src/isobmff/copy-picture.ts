import { type Box, box } from './boxes.ts'
import type { Item } from './compose-items.ts'
import type { RelatedItem } from './items.ts'

/**
 * The items of a picture, as they are written into another file: the first is shown, and the others are hidden.
 * @param before number of items that the file has already: the first one gets the next number
 * @param propertiesOf what is kept of an item's properties, by default all
 */
export function copiedPicture(
  items: readonly RelatedItem[],
  before = 0,
  propertiesOf: (item: RelatedItem) => readonly Box[] = ({ properties }) => properties,
): Item[] {
  const numbers = new Map(items.map(({ id }, index) => [id, before + index + 1]))
  return items.map((item, index) => {
    const of = item.alphaOf === undefined ? undefined : numbers.get(item.alphaOf)
    return {
      type: item.type,
      hidden: index > 0 && of === undefined,
      properties: propertiesOf(item).map(boxOf),
      data: item.data,
      ...(item.parts.length > 0 && { parts: item.parts.map((id) => numbers.get(id) ?? 0) }),
      ...(of !== undefined && { alphaOf: of }),
    }
  })
}

export const boxOf = ({ type, body }: Box): Buffer => box(type, body)
