import { ApiFailure, asFailure, isAbort } from '../../api/api-failure.ts'
import { type Answer, api } from '../../api/client.ts'
import { mayCallApi } from '../../session/api-access.ts'
import { session } from '../../session/session.svelte.ts'
import type { ChosenFile } from '../batches/chosen-files.ts'
import { refusalOf } from '../playground/refused-files.ts'
import { pause, runCalls } from './calls.ts'
import { Card } from './card.svelte.ts'
import { freeName } from './free-name.ts'
import { type PlacedFile, pictureFiles } from './picture-files.ts'
import { type CompressSettings, fingerprintOf, firstSettings } from './settings.ts'
import { AT_ONCE, shareOut } from './share-out.ts'
import { forgetThumbnail, requestThumbnail } from './thumbnails.ts'

/** What the account may still do this month. `remaining` is null if unlimited. */
export type Allowance = Pick<Answer<'/api/v2/usage', 'get'>['calls'], 'by' | 'remaining'>

/** A slider that moves makes nothing again until it rests. */
const REST_MS = 600

/** In a large set the first picture has the processors for itself for as long, so that there soon is a result. */
const HEAD_START_MS = 5_000

/** Files whose beginnings are read at the same time: to begin with one takes a browser a millisecond. */
const CHECKED_AT_ONCE = 40

async function refuseUnreadable(card: Card): Promise<void> {
  const refusal = await refusalOf(card.file)
  if (refusal !== undefined) card.refuse(new ApiFailure('invalid_image_type', refusal))
}

/** The pictures of the page and what is made of them: kept while the user visits other pages. */
class Compression {
  /** The account's id: the next user of this browser does not see the pictures. */
  owner: string | undefined
  cards = $state.raw<readonly Card[]>([])
  settings = $state.raw(firstSettings)
  /** Undefined until it is known. */
  allowance = $state.raw<Allowance>()
  /** Why no further picture is compressed, or why files could not be read. */
  failure = $state.raw<ApiFailure>()
  /** Files of folders that are no pictures. */
  leftOut = $state(0)
  /** ZIPs, which are a matter of batches. */
  archives = $state.raw<readonly ChosenFile[]>([])
  isReading = $state(false)
  isRunning = $state(false)
  /** How far the sending of a large set is: "Sending 40 %". */
  stage = $state<string>()
  readonly settledCount = $derived(this.cards.filter(({ state }) => state === 'done' || state === 'failed').length)
  readonly readyCards = $derived(this.cards.filter(({ state }) => state === 'ready'))
  #run: AbortController | undefined
  #rest: ReturnType<typeof setTimeout> | undefined
  #reading: Promise<void> | undefined

  /** Whether the user is asked before as many pictures are compressed: they cost credits, or much of a month. */
  asksBefore(pictures: number): boolean {
    if (!this.allowance) return true
    const { by, remaining } = this.allowance
    return remaining !== null && (by === 'credits' || pictures > AT_ONCE)
  }

  /** @throws never: an unknown allowance is asked about */
  readonly readAllowance = (): Promise<void> => {
    // Pictures that are chosen meanwhile wait until the allowance is set, not only until it has arrived.
    this.#reading = api
      .get('/api/v2/usage', { query: { limit: 1 } })
      .then(({ calls }) => {
        this.allowance = calls
      })
      .catch(() => undefined)
    return this.#reading
  }

  /** Adds pictures, and compresses them at once unless that has to be asked before. @throws never: errors are shown */
  async take(choice: Promise<readonly PlacedFile[]>, owner: string | undefined): Promise<void> {
    this.owner = owner
    this.failure = undefined
    this.isReading = true
    try {
      const files = await pictureFiles(await choice)
      this.leftOut = files.leftOut
      this.archives = files.archives
      await this.#add(files.pictures)
    } catch (error) {
      this.failure =
        error instanceof DOMException
          ? new ApiFailure('unreadable_file', 'The browser could not read these files. Choose them again.')
          : asFailure(error)
    }
    this.isReading = false
  }

  async #add(files: readonly PlacedFile[]): Promise<void> {
    const paths = new Set(this.cards.map(({ path }) => path))
    const cards: Card[] = []
    for (const { file, path, place } of files) {
      const ownPath = freeName(path, (each) => paths.has(each))
      paths.add(ownPath)
      cards.push(new Card(file, ownPath, place))
    }
    this.cards = [...this.cards, ...cards]
    for (let at = 0; at < cards.length; at += CHECKED_AT_ONCE)
      await Promise.all(cards.slice(at, at + CHECKED_AT_ONCE).map(refuseUnreadable))
    await this.#reading
    this.#startUnlessAsked()
  }

  #startUnlessAsked(): void {
    if (!this.asksBefore(this.readyCards.length)) this.start()
  }

  /** Compresses all pictures that are ready. */
  readonly start = (): void => {
    this.failure = undefined
    for (const card of this.readyCards) card.state = 'waiting'
    if (!this.#run) void this.#work()
  }

  async #work(): Promise<void> {
    const mine = new AbortController()
    this.#run = mine
    this.isRunning = true
    try {
      for (;;) {
        const cards = this.cards.filter(({ state }) => state === 'waiting')
        if (cards.length === 0) break
        await this.#compress(cards, mine.signal)
      }
    } catch (error) {
      if (!isAbort(error) && this.#run === mine) this.#fail(asFailure(error))
    }
    if (this.#run !== mine) return
    this.#run = undefined
    this.isRunning = false
    this.stage = undefined
  }

  #fail(failure: ApiFailure): void {
    this.failure = failure
    for (const card of this.cards) if (card.state === 'waiting' || card.state === 'working') card.state = 'ready'
  }

  async #compress(cards: readonly Card[], signal: AbortSignal): Promise<void> {
    const { settings } = this
    const { calls, batch } = shareOut(cards, settings, mayCallApi(session.user))
    const run = {
      settings,
      signal,
      onanswer: (card: Card, callsLeft: number | undefined) => {
        if (card.thumbnail === 'none') requestThumbnail(card, this.cards.length === 1)
        if (callsLeft !== undefined && this.allowance) this.allowance = { ...this.allowance, remaining: callsLeft }
      },
    }
    if (batch.length === 0) return await runCalls(calls, run)
    const first = runCalls(calls.slice(0, 1), run)
    await Promise.race([first, pause(HEAD_START_MS, signal)])
    await Promise.all([first, runCalls(calls.slice(1), run), this.#compressBatch(batch, settings, signal)])
  }

  async #compressBatch(cards: readonly Card[], settings: CompressSettings, signal: AbortSignal): Promise<void> {
    const { runBatch } = await import('./batch-run.svelte.ts')
    await runBatch(cards, { settings, signal, onstage: (stage) => (this.stage = signal.aborted ? this.stage : stage) })
    void this.readAllowance()
  }

  /** Makes all pictures again, those that were made by the same settings before excepted. */
  readonly change = (settings: CompressSettings): void => {
    const isSame = fingerprintOf(settings) === fingerprintOf(this.settings)
    this.settings = settings
    if (isSame) return
    this.#cancel()
    for (const card of this.cards) if (!card.isRefused) card.reuse(fingerprintOf(settings))
    this.#rest = setTimeout(() => this.#startUnlessAsked(), REST_MS)
  }

  readonly remove = (card: Card): void => {
    this.cards = this.cards.filter((each) => each !== card)
    forgetThumbnail(card)
    card.release()
    if (this.cards.length === 0) this.clear()
  }

  readonly again = (card: Card): void => {
    card.failure = undefined
    card.state = 'ready'
    this.start()
  }

  readonly clear = (): void => {
    this.#cancel()
    for (const card of this.cards) {
      forgetThumbnail(card)
      card.release()
    }
    this.cards = []
    this.failure = undefined
    this.archives = []
    this.leftOut = 0
  }

  #cancel(): void {
    clearTimeout(this.#rest)
    this.#run?.abort()
    this.#run = undefined
    this.isRunning = false
    this.stage = undefined
  }
}

export const compression = new Compression()
