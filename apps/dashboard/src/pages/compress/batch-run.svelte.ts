import { imageFormats } from '@pixelmill/codecs/image-formats'
import { ApiFailure } from '../../api/api-failure.ts'
import { type Answer, api } from '../../api/client.ts'
import { send } from '../../api/send.ts'
import { shownNumber } from '../../shown/numbers.ts'
import { BatchFollower, hasEnded } from '../batches/batch-follower.svelte.ts'
import { nameOf, type Outline } from '../batches/outline.ts'
import { readZip, storedFile } from '../batches/read-zip.ts'
import { sending } from '../batches/sending.svelte.ts'
import { resultOf } from './calls.ts'
import { type Card, extensionOf } from './card.svelte.ts'
import { batchFieldsOf, type CompressSettings, fingerprintOf } from './settings.ts'

interface Run {
  readonly settings: CompressSettings
  readonly signal: AbortSignal
  /** "Sending 40 %"; undefined while the pictures themselves show how far it is. */
  onstage(stage: string | undefined): void
}

type Entry = Answer<'/api/v2/batch/{id}/entries', 'get'>['data'][number]

const LOOK_MS = 1_500
const PAGE_ROWS = 100
const PERCENT = 100
const NO_PICTURE = 'This file is none of the pictures that can be read.'

/**
 * Compresses cards by one batch: each shows its size as soon as it is made, and can be downloaded when all are. A batch that is no
 * longer wanted is removed, which gives its calls back. @throws ApiFailure; AbortError
 */
export async function runBatch(cards: readonly Card[], run: Run): Promise<void> {
  const { signal } = run
  // Automatic, a batch has to be told its format: for photographs AVIF is the smallest.
  const settings: CompressSettings = run.settings.format === 'best' ? { ...run.settings, format: 'avif' } : run.settings
  const id = await sendCards(cards, settings, run)
  const abandon = (): void => void api.delete('/api/v2/batch/{id}', { path: { id } }).catch(() => undefined)
  signal.addEventListener('abort', abandon, { once: true })
  if (signal.aborted) abandon()
  signal.throwIfAborted()
  const byPath = new Map(cards.map((card) => [card.path, card]))
  const show = (entry: Entry): void => {
    const card = byPath.get(entry.source)
    if (card) showEntry(card, entry, run.settings)
  }
  await followEntries(id, show, signal)
  signal.removeEventListener('abort', abandon)
  for (const card of cards) if (card.state === 'waiting') card.fail(new ApiFailure('invalid_image_type', NO_PICTURE))
  await fetchResults(id, cards, run.settings, signal)
}

async function sendCards(cards: readonly Card[], settings: CompressSettings, { signal, onstage }: Run): Promise<string> {
  const outline: Outline = { files: cards.map(({ path, file }) => ({ path, bytes: file.size, file })) }
  const name = nameOf(outline)
  const fields = { ...batchFieldsOf(settings), ...(name !== '' && { name }) }
  const stopWords = $effect.root(() => {
    $effect(() => {
      const { stage } = sending
      if (stage?.name === 'sending') onstage(`Sending ${shownNumber((PERCENT * stage.done) / stage.total)} %`)
    })
  })
  signal.addEventListener('abort', sending.cancel, { once: true })
  const batch = await sending.start(outline, fields)
  signal.removeEventListener('abort', sending.cancel)
  stopWords()
  onstage(undefined)
  signal.throwIfAborted()
  if (batch) return batch.id
  const { failure } = sending
  sending.forget()
  throw failure ?? new ApiFailure('busy', 'A batch is being sent on the page Batches. Compress these when it has been sent.')
}

function showEntry(card: Card, { status, error, output, outputBytes }: Entry, settings: CompressSettings): void {
  if (card.state !== 'waiting') return
  if (status === 'failed' && error) card.fail(new ApiFailure(error.code, error.message))
  if (status === 'converted' && output && outputBytes !== null)
    card.finish(fingerprintOf(settings), resultOf(card, settings, undefined, extensionOf(output), outputBytes))
}

/** Reads the entries again and again until the batch has ended, from the first page that is not done. */
async function followEntries(id: string, show: (entry: Entry) => void, signal: AbortSignal): Promise<void> {
  const follower = new BatchFollower(id)
  let cursor: string | undefined
  async function readOn(): Promise<void> {
    let next = cursor
    let isDone = true
    do {
      const query = { limit: PAGE_ROWS, ...(next && { cursor: next }) }
      const page = await api.get('/api/v2/batch/{id}/entries', { path: { id }, query, signal })
      for (const entry of page.data) show(entry)
      isDone &&= page.data.every(({ status }) => status !== 'pending')
      next = page.nextCursor ?? undefined
      if (isDone && next) cursor = next
    } while (next)
  }
  try {
    for (;;) {
      const isOver = follower.state !== undefined && hasEnded(follower.state)
      await readOn()
      if (isOver) return
      if (follower.failure?.status === 404) throw follower.failure
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS))
      signal.throwIfAborted()
    }
  } finally {
    follower.close()
  }
}

/** The files of the result; each is a part of the ZIP, which the browser keeps on its disk. */
async function fetchResults(id: string, cards: readonly Card[], settings: CompressSettings, signal: AbortSignal): Promise<void> {
  const doneCards = cards.filter(({ state, result }) => state === 'done' && result && !result.blob)
  if (doneCards.length === 0) return
  const zip = await (await send(`/api/v2/batch/${id}/result`, { signal })).blob()
  const rows = new Map((await readZip(zip))?.map((row) => [row.path, row]))
  for (const card of doneCards) {
    const { result } = card
    const row = result && rows.get(result.path)
    if (!result || !row) continue
    card.finish(fingerprintOf(settings), { ...result, blob: await storedFile(zip, row, mimeOf(result.extension)) })
  }
}

function mimeOf(extension: string): string {
  const formats = Object.values(imageFormats)
  return (
    formats.find(({ extensions }) => (extensions as readonly string[]).includes(extension))?.mime ?? 'application/octet-stream'
  )
}
