import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { limits, megabytes } from '@pixelmill/codecs/contract/limits'
import type { RandomAccess } from 'pixelmill/bucket/blob-store'
import { ApiError } from '../contract/api-error.ts'
import type { Instance } from '../metering/instance.ts'
import { hashParts, openParts, partsOf, streamParts } from './read-upload.ts'
import { type Received, receive } from './received.ts'
import { announce, completeUpload, createUpload, type NewUpload, offsetMismatch } from './record-upload.ts'
import { removeUpload } from './remove-uploads.ts'
import { openTransfers, type Transfers, writeParts } from './transfers.ts'
import {
  findAny,
  findComplete,
  keptType,
  stateHeaders,
  summaryOf,
  type UploadLimits,
  type UploadRow,
  type UploadStores,
  type UploadSummary,
} from './upload.ts'

/** Files that an account sent ahead, by their handles. Handles of other accounts do not exist: upload_not_found. */
export interface Handles {
  readonly limits: UploadLimits
  /** Keeps a file that is in memory. @throws ApiError too_many_uploads, file_too_large */
  save(account: string, bytes: Buffer, file: { contentType: string; name?: string }): Promise<UploadSummary>
  /** A complete upload. @throws ApiError upload_not_found, upload_incomplete */
  find(account: string, handle: string): Promise<UploadRow>
  /** All of a small file: 15 MB, unless another limit is given. @throws ApiError also file_too_large */
  read(account: string, handle: string, mostBytes?: number): Promise<Buffer>
  /** For formats such as ZIP. @throws ApiError upload_not_found, upload_incomplete */
  open(account: string, handle: string): Promise<RandomAccess>
  /** Bytes of a complete upload, `first` and `last` included. @throws ApiError also as the stream's error */
  stream(row: UploadRow, range?: { readonly first: number; readonly last: number }): Promise<Readable>
  /** Ends a request that writes to it. @throws ApiError upload_not_found, upload_in_use */
  remove(account: string, handle: string): Promise<void>
  /** An upload without bytes, to append to. @throws ApiError too_many_uploads, file_too_large */
  create(account: string, upload: NewUpload): Promise<UploadRow>
  /** An upload, complete or not. @throws ApiError upload_not_found */
  state(account: string, handle: string): Promise<UploadRow>
  /** How far an upload is; ends a request that writes to it. @throws ApiError upload_not_found, upload_in_use */
  progress(account: string, handle: string): Promise<UploadRow>
  /**
   * Appends what a client sends. What has arrived is kept if the client goes away, or `signal` aborts.
   * @throws ApiError upload_not_found, upload_in_use, upload_offset_mismatch, upload_length_mismatch, upload_digest_mismatch,
   * too_many_uploads, file_too_large; the reason why the rest did not come
   */
  append(account: string, handle: string, more: Appending): Promise<UploadRow>
}

export interface Appending {
  readonly offset: number
  readonly stream: Readable
  /** Aborted when the rest will not come. */
  readonly signal: AbortSignal
  /** Bytes of this request, where they are known. */
  readonly bytes?: number | undefined
  /** Of the whole upload, where this request announces it. */
  readonly length?: number | undefined
  /** Whether these are the last bytes; `when full`: if the upload then has the announced length. */
  readonly completes: boolean | 'when full'
  /** Called when the request is accepted, before its body is read. */
  readonly onStart?: () => void
  /** Called after each part that is in the store. */
  readonly onPart?: (row: UploadRow) => void
}

export const openHandles = (stores: UploadStores, most: UploadLimits, instance: Pick<Instance, 'tryLock' | 'unlock'>): Handles =>
  new StoredHandles(stores, most, openTransfers(stores, instance))

class StoredHandles implements Handles {
  readonly limits: UploadLimits
  readonly #stores: UploadStores
  readonly #transfers: Transfers

  constructor(stores: UploadStores, most: UploadLimits, transfers: Transfers) {
    this.limits = most
    this.#stores = stores
    this.#transfers = transfers
  }

  async save(account: string, bytes: Buffer, { contentType, name }: { contentType: string; name?: string }) {
    const row = await this.create(account, { contentType, name, length: bytes.length })
    try {
      const more = { offset: 0, stream: Readable.from([bytes]), signal: new AbortController().signal, completes: true }
      return summaryOf(await this.append(account, row.handle, more))
    } catch (error) {
      await removeUpload(this.#stores, row).catch(() => {})
      throw error
    }
  }

  find(account: string, handle: string): Promise<UploadRow> {
    return findComplete(this.#db, account, handle)
  }

  async read(account: string, handle: string, mostBytes = limits.uploadBytes): Promise<Buffer> {
    const row = await this.find(account, handle)
    if (row.stored > mostBytes)
      throw new ApiError('file_too_large', {
        message: `The upload has ${megabytes(row.stored)}, and ${megabytes(mostBytes)} are allowed here.`,
      })
    return await buffer(await this.stream(row))
  }

  async open(account: string, handle: string): Promise<RandomAccess> {
    const row = await this.find(account, handle)
    return openParts(this.#stores.blobs, await partsOf(this.#db, row), row.stored)
  }

  async stream(row: UploadRow, range = { first: 0, last: row.stored - 1 }): Promise<Readable> {
    return streamParts(this.#stores.blobs, await partsOf(this.#db, row), range)
  }

  async remove(account: string, handle: string): Promise<void> {
    const { id } = await this.state(account, handle)
    await this.#transfers.release(id)
    await removeUpload(this.#stores, { id })
  }

  create(account: string, upload: NewUpload): Promise<UploadRow> {
    return createUpload(this.#db, this.limits, account, { ...upload, contentType: keptType(upload.contentType) })
  }

  state(account: string, handle: string): Promise<UploadRow> {
    return findAny(this.#db, account, handle)
  }

  async progress(account: string, handle: string): Promise<UploadRow> {
    const row = await this.state(account, handle)
    if (row.completed_at) return row
    await this.#transfers.release(row.id)
    return await this.state(account, handle)
  }

  async append(account: string, handle: string, more: Appending): Promise<UploadRow> {
    const { id } = await this.state(account, handle)
    return await this.#transfers.alone(id, async (stoppedSignal) => {
      const receivedBytes = receive(more.stream, AbortSignal.any([more.signal, stoppedSignal]))
      try {
        // Again, since no other request writes now.
        return await this.#appendAlone(await this.state(account, handle), more, receivedBytes)
      } finally {
        receivedBytes.discard()
      }
    })
  }

  get #db(): UploadStores['database']['kysely'] {
    return this.#stores.database.kysely
  }

  async #appendAlone(row: UploadRow, more: Appending, receivedBytes: Received): Promise<UploadRow> {
    const { onStart = () => {}, onPart = () => {}, completes } = more
    const announcedUpload = await announce(this.#db, this.limits, requireContinued(row, more), more.length)
    onStart()
    const writtenUpload = await writeParts(this.#stores, this.limits, announcedUpload, receivedBytes, onPart)
    const reason = receivedBytes.broken()
    if (reason !== undefined) throw reason
    const isLast = completes === 'when full' ? writtenUpload.stored === writtenUpload.length : completes
    return isLast ? await this.#complete(writtenUpload) : writtenUpload
  }

  /** Marks an upload as complete if its bytes are the announced ones. */
  async #complete(row: UploadRow): Promise<UploadRow> {
    if (row.length !== null && row.length !== row.stored) throw lengthMismatch(row)
    if (row.sha256 && !row.sha256.equals(await hashParts(this.#stores.blobs, await partsOf(this.#db, row)))) {
      await removeUpload(this.#stores, row)
      throw new ApiError('upload_digest_mismatch')
    }
    return await completeUpload(this.#db, row)
  }
}

/** @throws ApiError upload_length_mismatch, upload_offset_mismatch */
function requireContinued(row: UploadRow, { offset, bytes, length = row.length ?? undefined }: Appending): UploadRow {
  if (row.completed_at) throw lengthMismatch(row, 'The upload is complete: nothing can be appended.')
  if (row.stored !== offset) throw offsetMismatch(row, offset)
  if (length !== undefined && bytes !== undefined && offset + bytes > length) throw lengthMismatch(row)
  return row
}

const lengthMismatch = (row: UploadRow, message?: string): ApiError =>
  new ApiError('upload_length_mismatch', {
    ...(message !== undefined && { message }),
    headers: stateHeaders(row),
    facts: {
      type: `https://iana.org/assignments/http-problem-types#${row.completed_at ? 'completed-upload' : 'inconsistent-upload-length'}`,
    },
  })
