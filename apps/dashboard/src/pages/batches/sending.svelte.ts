import { newKey } from 'pixelmill-client/src/request'
import { writeZip } from 'pixelmill-client/src/zip'
import { ApiFailure, asFailure } from '../../api/api-failure.ts'
import { session } from '../../session/session.svelte.ts'
import { type Outline, picturesOf } from './outline.ts'
import { TimeLeft } from './time-left.ts'
import { type StartedBatch, uploadBatch } from './upload.ts'

/** packing: checksums are computed; waiting: everything was sent, and the server checks the archive. */
export interface Stage {
  readonly name: 'packing' | 'sending' | 'waiting'
  readonly done: number
  readonly total: number
  readonly msLeft?: number | undefined
}

interface Attempt {
  readonly outline: Outline
  readonly fields: Readonly<Record<string, string>>
  readonly key: string
  archive?: Blob
}

const askBeforeLeaving = (event: BeforeUnloadEvent): void => event.preventDefault()

/** The upload of a batch. It continues while the user visits other pages. */
class Sending {
  stage = $state.raw<Stage>()
  failure = $state.raw<ApiFailure>()
  #attempt: Attempt | undefined
  #running: AbortController | undefined

  /** The batch; undefined if none was created: then `failure` says why, unless the user cancelled. */
  async start(outline: Outline, fields: Readonly<Record<string, string>>): Promise<StartedBatch | undefined> {
    if (this.stage) return undefined
    const mine = new AbortController()
    this.#running = mine
    this.failure = undefined
    this.stage = { name: 'packing', done: 0, total: 0 }
    window.addEventListener('beforeunload', askBeforeLeaving)
    try {
      // If a new sign-in is needed, it happens before the upload, not after it.
      await session.refresh()
      const batch = await this.#send(this.#attemptOf(outline, fields), mine.signal)
      this.#attempt = undefined
      return batch
    } catch (error) {
      if (!mine.signal.aborted) this.failure = failureOf(error)
      return undefined
    } finally {
      window.removeEventListener('beforeunload', askBeforeLeaving)
      this.stage = undefined
    }
  }

  readonly cancel = (): void => this.#running?.abort()

  readonly forget = (): void => {
    this.failure = undefined
  }

  /** A repeated request, for example after a lost response, has the same key: it creates no second batch. */
  #attemptOf(outline: Outline, fields: Attempt['fields']): Attempt {
    const last = this.#attempt
    if (last?.outline === outline && JSON.stringify(last.fields) === JSON.stringify(fields)) return last
    this.#attempt = { outline, fields, key: newKey() }
    return this.#attempt
  }

  async #send(attempt: Attempt, signal: AbortSignal): Promise<StartedBatch> {
    attempt.archive ??= attempt.outline.archive ?? (await this.#pack(attempt.outline, signal))
    const left = new TimeLeft()
    return uploadBatch({
      archive: attempt.archive,
      fileName: attempt.outline.archive?.name ?? 'pictures.zip',
      fields: attempt.fields,
      idempotencyKey: attempt.key,
      signal,
      onprogress: (bytes, total) => {
        this.stage = { name: bytes < total ? 'sending' : 'waiting', done: bytes, total, msLeft: left.after(bytes, total) }
      },
    })
  }

  #pack(outline: Outline, signal: AbortSignal): Promise<Blob> {
    const files = picturesOf(outline).flatMap(({ path, file }) => (file ? [{ path, file, modifiedAt: file.lastModified }] : []))
    const total = files.reduce((sum, { file }) => sum + file.size, 0)
    return writeZip(files, { signal, onread: (bytes) => (this.stage = { name: 'packing', done: bytes, total }) })
  }
}

const failureOf = (error: unknown): ApiFailure =>
  error instanceof DOMException
    ? new ApiFailure('unreadable_file', 'A file has changed or gone since it was chosen. Choose the files again.')
    : asFailure(error)

export const sending = new Sending()
