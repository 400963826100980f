import type { SendGet } from 'pixelmill/bucket/list-page'
import type { BucketLocation } from 'pixelmill/bucket/location'
import type { Outbound } from '../../outbound/outbound.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { isListed, type ListedFile, type ListedPage, type ListQuery } from './list-query.ts'
import { unavailable } from './original.ts'

/** For a page. */
const DEADLINE_MS = 15_000
/** A page of 100 keys of 1,024 bytes each has less. */
const MOST_BYTES = 1024 * 1024

/** After everything that begins with what is before it. */
const LAST_CHARACTER = '\u{10ffff}'

/**
 * Objects of a bucket in the order of their keys; those that no URL can name are left out, so a page may have fewer than its limit.
 * @param folder the prefix of the source
 * @throws ApiError source_unavailable
 */
export async function listBucket(
  location: BucketLocation,
  folder: string,
  send: Outbound['guardedFetch'],
  { prefix, byFolder, after, limit }: ListQuery,
  signal: AbortSignal,
): Promise<ListedPage> {
  const { openLister } = await import('pixelmill/bucket/list-page')
  const top = folder === '' ? '' : `${folder}/`
  const start = after === undefined ? undefined : top + after + (after.endsWith('/') ? LAST_CHARACTER : '')
  const list = openLister(location, senderOf(send))
  const { objects, folders, isLast } = await list({ prefix: top + prefix, byFolder, after: start, limit }, signal).catch(
    (error) => {
      throw error instanceof OutboundError
        ? unavailable(error.message, error)
        : unavailable('its bucket could not be listed: the key may lack s3:ListBucket.', error)
    },
  )
  const files: ListedFile[] = [
    ...objects.map(({ key, bytes, modifiedAt }) => fileOf(key.slice(top.length), bytes, modifiedAt)),
    ...folders.map((path): ListedFile => ({ type: 'folder', path: path.slice(top.length) })),
  ]
  const inOrder = files.toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
  return {
    data: inOrder.filter(({ path }) => isListed(path.replace(/\/$/, ''))),
    next: isLast ? undefined : inOrder.at(-1)?.path,
  }
}

const fileOf = (path: string, bytes: number, modifiedAt: Date): ListedFile => ({
  type: 'file',
  path,
  bytes,
  modifiedAt: modifiedAt.toISOString(),
})

const senderOf =
  (send: Outbound['guardedFetch']): SendGet =>
  async (url, headers, signal) => {
    const response = await send(url, { headers, signal, deadlineMs: DEADLINE_MS, maxBytes: MOST_BYTES })
    const type = response.header('content-type')
    return { status: response.status, headers: type === null ? {} : { 'content-type': type }, body: await response.text() }
  }
