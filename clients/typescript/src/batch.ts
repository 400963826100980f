import type { Batch as Status } from './api-types.ts'
import { PixelmillError } from './error.ts'
import { type Send, sleep } from './request.ts'

export interface Waiting {
  /** Called with every state that is read. */
  readonly onProgress?: (status: Status) => void
  readonly signal?: AbortSignal
}

/** A batch on the server. */
export class Batch {
  readonly id: string
  /** The state that was read last. */
  status: Status
  readonly #send: Send
  #pauseSeconds: number

  constructor(send: Send, status: Status, pauseSeconds: number) {
    this.#send = send
    this.id = status.id
    this.status = status
    this.#pauseSeconds = pauseSeconds
  }

  /** Reads the state. */
  async refresh(signal?: AbortSignal): Promise<Status> {
    const response = await this.#send(`/api/v2/batch/${this.id}/status`, { signal })
    this.#pauseSeconds = pauseOf(response)
    this.status = (await response.json()) as Status
    return this.status
  }

  /**
   * Waits until all images are done.
   * @throws PixelmillError batch_failed, if there is no result; the signal's reason once that aborts: the batch goes on
   */
  async wait({ onProgress, signal }: Waiting = {}): Promise<this> {
    onProgress?.(this.status)
    while (this.status.status === 'queued' || this.status.status === 'processing') {
      await sleep(this.#pauseSeconds * 1000, signal)
      const read = await this.refresh(signal)
      onProgress?.(read)
    }
    const { status, error } = this.status
    if (status === 'failed') throw new PixelmillError('batch_failed', error?.message ?? 'No image of the batch could be made.')
    return this
  }

  /** The result as a ZIP; a stream, since it may be large. */
  async stream(signal?: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#send(`/api/v2/batch/${this.id}/result`, { signal, streams: true })
    return body ?? new ReadableStream()
  }

  /** The result as a ZIP, in memory. */
  async download(signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const response = await this.#send(`/api/v2/batch/${this.id}/result`, { signal })
    return new Uint8Array(await response.arrayBuffer())
  }

  /** Ends the batch, and deletes it with its files. */
  async delete(): Promise<void> {
    await this.#send(`/api/v2/batch/${this.id}`, { method: 'DELETE' })
  }
}

/** Seconds after which to ask again. */
export const pauseOf = (response: Response): number => Number(response.headers.get('retry-after') ?? 1)
