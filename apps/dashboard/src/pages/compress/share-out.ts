import { type FormatName, imageFormats } from '@pixelmill/codecs/image-formats'
import { type Card, extensionOf } from './card.svelte.ts'
import type { CompressSettings } from './settings.ts'

/** Pictures that are compressed by single calls: fewer than an account may make in a minute. Of more, the rest is a batch. */
export const AT_ONCE = 20
/** Of a large set, as many are compressed by calls meanwhile, so that there are results before the batch is sent. */
const AHEAD = 3

/** Files that have one frame and are photographs or as large: AVIF is the smallest of them, which a batch has to be told before. */
const PHOTOGRAPHS: readonly FormatName[] = ['jpeg', 'heic', 'tiff', 'bmp', 'qoi']

const isPhotograph = ({ path }: Card): boolean =>
  PHOTOGRAPHS.some((name) => (imageFormats[name].extensions as readonly string[]).includes(extensionOf(path)))

/** The cards that are compressed by single calls, and those that make a batch. */
export function shareOut(
  cards: readonly Card[],
  { format }: CompressSettings,
  mayStartBatch: boolean,
): { readonly calls: readonly Card[]; readonly batch: readonly Card[] } {
  if (!mayStartBatch || cards.length <= AT_ONCE) return { calls: cards, batch: [] }
  const isForBatch = (card: Card, nth: number): boolean => nth >= AHEAD && (format !== 'best' || isPhotograph(card))
  return { calls: cards.filter((card, nth) => !isForBatch(card, nth)), batch: cards.filter(isForBatch) }
}
