import { Readable } from 'node:stream'
import { ListObjectsV2Command } from '@aws-sdk/client-s3'
import { connect } from './bucket.ts'
import type { BucketLocation } from './location.ts'

/** A page of a bucket's list. */
export interface ObjectPage {
  readonly objects: readonly { readonly key: string; readonly bytes: number; readonly modifiedAt: Date }[]
  /** Beginnings of further keys up to the next slash. */
  readonly folders: readonly string[]
  readonly isLast: boolean
}

export interface PageQuery {
  readonly prefix: string
  readonly byFolder: boolean
  /** Only keys after this. */
  readonly after: string | undefined
  readonly limit: number
}

/** Sends a GET. */
export type SendGet = (
  url: string,
  headers: Readonly<Record<string, string>>,
  signal: AbortSignal,
) => Promise<{ readonly status: number; readonly headers: Record<string, string>; readonly body: string }>

/** A request as the client signs it. */
interface SignedRequest {
  /** With a colon. */
  readonly protocol: string
  readonly hostname: string
  readonly port?: number
  readonly path: string
  readonly query?: Readonly<Record<string, string | readonly string[] | null>>
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Lists a bucket by requests that `send` sends: the client would connect to any address.
 * @throws the client's errors, and those of `send`
 */
export function openLister(
  location: BucketLocation,
  send: SendGet,
): (query: PageQuery, signal: AbortSignal) => Promise<ObjectPage> {
  return async ({ prefix, byFolder, after, limit }, signal) => {
    const { client, name } = connect(location, {
      async handle({ protocol, hostname, port, path, query = {}, headers }: SignedRequest) {
        const address = new URL(`${protocol}//${hostname}${port === undefined ? '' : `:${port}`}${path}`)
        for (const [key, value] of Object.entries(query))
          for (const one of [value].flat()) address.searchParams.append(key, one ?? '')
        const { host: _host, ...rest } = headers
        const { status: statusCode, body, ...answer } = await send(address.href.replaceAll('+', '%20'), rest, signal)
        return { response: { statusCode, headers: answer.headers, body: Readable.from([Buffer.from(body)]) } as never }
      },
    })
    try {
      const command = new ListObjectsV2Command({
        Bucket: name,
        Prefix: prefix,
        StartAfter: after,
        MaxKeys: limit,
        ...(byFolder && { Delimiter: '/' }),
      })
      const { Contents = [], CommonPrefixes = [], IsTruncated = false } = await client.send(command)
      return {
        objects: Contents.map(({ Key = '', Size = 0, LastModified = new Date(0) }) => ({
          key: Key,
          bytes: Size,
          modifiedAt: LastModified,
        })),
        folders: CommonPrefixes.map(({ Prefix = '' }) => Prefix),
        isLast: !IsTruncated,
      }
    } finally {
      client.destroy()
    }
  }
}
