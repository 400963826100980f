import type { Card } from './card.svelte.ts'

/** Twice the width of a card, for dense screens. */
const WIDTH = 480
/** A single picture is shown large. */
const LARGE_WIDTH = 1_280
/** Each holds a decoded picture, 8 MB of a common one, for as long as it takes to reduce it. */
const AT_ONCE = 2

/** Cards whose thumbnails are to be made, in this order. */
const queue: (readonly [card: Card, source: Blob, width: number])[] = []
let running = 0

/** Makes the thumbnail of a card when it is its turn. @param source the picture, or its result where the browser cannot read it */
export function requestThumbnail(card: Card, source: Blob, isLarge: boolean): void {
  queue.push([card, source, isLarge ? LARGE_WIDTH : WIDTH])
  for (; running < AT_ONCE && running < queue.length; running++) void makeInTurn()
}

/** A card that was removed needs none any more. */
export function forgetThumbnail(card: Card): void {
  const at = queue.findIndex(([each]) => each === card)
  if (at >= 0) queue.splice(at, 1)
}

async function makeInTurn(): Promise<void> {
  for (let next = queue.shift(); next; next = queue.shift()) {
    const [card, source, width] = next
    // A format that this browser cannot read.
    const url = await thumbnailOf(source, width).catch(() => undefined)
    if (card.thumbnail && card.thumbnail !== 'none') URL.revokeObjectURL(card.thumbnail)
    card.thumbnail = url ?? 'none'
  }
  running--
}

/** An object URL of a small copy. @throws DOMException if the browser cannot read the picture */
async function thumbnailOf(source: Blob, width: number): Promise<string> {
  const bitmap = await createImageBitmap(source, { resizeWidth: width, resizeQuality: 'medium' })
  const canvas = new OffscreenCanvas(bitmap.width, bitmap.height)
  canvas.getContext('bitmaprenderer')?.transferFromImageBitmap(bitmap)
  bitmap.close()
  return URL.createObjectURL(await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 }))
}
