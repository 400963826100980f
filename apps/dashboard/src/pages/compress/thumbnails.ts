import type { Card } from './card.svelte.ts'

/** Twice the width of a card, for dense screens. */
const WIDTH = 480
/** A single picture is shown large. */
const LARGE_WIDTH = 1_280

interface Request {
  readonly card: Card
  readonly source: Blob
  readonly width: number
}

/** Thumbnails that are to be made, in this order. */
const queue: Request[] = []
/** That which the worker has: it holds one decoded picture at a time. */
let current: Request | undefined
let worker: Worker | undefined

/** Makes the thumbnail of a card when it is its turn: of the picture, or of its result where the browser cannot read the picture. */
export function requestThumbnail(card: Card, isLarge: boolean): void {
  if (current?.card === card || queue.some((each) => each.card === card)) return
  queue.push({ card, source: card.file, width: isLarge ? LARGE_WIDTH : WIDTH })
  if (!current) makeNext()
}

/** A card that was removed needs none any more. */
export function forgetThumbnail(card: Card): void {
  const at = queue.findIndex((each) => each.card === card)
  if (at >= 0) queue.splice(at, 1)
}

function makeNext(): void {
  current = queue.shift()
  if (current) startedWorker().postMessage({ source: current.source, width: current.width })
}

function startedWorker(): Worker {
  if (worker) return worker
  worker = new Worker(new URL('./thumbnail-worker.ts', import.meta.url), { type: 'module' })
  worker.onmessage = ({ data }: MessageEvent<Blob | undefined>) => show(data)
  // Its script did not come: cards without a thumbnail show a sign in its place.
  worker.onerror = () => show(undefined)
  return worker
}

function show(copy: Blob | undefined): void {
  if (current) settle(current, copy)
  makeNext()
}

function settle({ card, source, width }: Request, copy: Blob | undefined): void {
  const result = card.result?.blob
  if (!copy && result && source === card.file && result !== source) queue.push({ card, source: result, width })
  else card.show(copy && URL.createObjectURL(copy))
}
