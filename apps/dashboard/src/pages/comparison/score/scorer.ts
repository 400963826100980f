import type { DecodedPicture } from '../../playground/shown-picture.ts'

/** How much a picture looks like its original. */
export interface Likeness {
  /** SSIMULACRA2. */
  readonly score: number
  /** A picture of where they differ, one pixel for each block of 8 × 8. */
  readonly heat: Blob
  readonly columns: number
  readonly rows: number
}

/** The worker reads the bytes themselves: their URLs may be revoked while it begins. */
export interface ScoreQuestion {
  readonly id: number
  readonly original: DecodedPicture
  readonly result: DecodedPicture
}

export interface ScoreAnswer {
  readonly id: number
  readonly likeness: Likeness | undefined
}

/** Larger pictures take a browser too much memory. */
const MOST_PIXELS = 40_000_000

/** Compares pictures in a thread of its own, so that the page answers meanwhile. It is ended with `close`. */
export class Scorer {
  readonly #worker = new Worker(new URL('./score-worker.ts', import.meta.url), { type: 'module' })
  readonly #waiting = new Map<number, (likeness: Likeness | undefined) => void>()
  #last = 0

  constructor() {
    this.#worker.addEventListener('message', ({ data: { id, likeness } }: MessageEvent<ScoreAnswer>) =>
      this.#answer(id, likeness),
    )
    // It could not be loaded: there are no scores, and everything else works.
    this.#worker.addEventListener('error', () => this.#refuseAll())
  }

  /** Undefined where the sizes differ, or the browser cannot compare them. */
  compare(original: DecodedPicture, result: DecodedPicture): Promise<Likeness | undefined> {
    const isSameSize = original.width === result.width && original.height === result.height
    if (!isSameSize || original.width * original.height > MOST_PIXELS) return Promise.resolve(undefined)
    const id = ++this.#last
    const { promise, resolve } = Promise.withResolvers<Likeness | undefined>()
    this.#waiting.set(id, resolve)
    this.#worker.postMessage({ id, original: { ...original }, result: { ...result } } satisfies ScoreQuestion)
    return promise
  }

  close(): void {
    this.#worker.terminate()
    this.#refuseAll()
  }

  #answer(id: number, likeness: Likeness | undefined): void {
    this.#waiting.get(id)?.(likeness)
    this.#waiting.delete(id)
  }

  #refuseAll(): void {
    for (const id of [...this.#waiting.keys()]) this.#answer(id, undefined)
  }
}
