import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'
import { RunFailure, systemCode } from '../failure.ts'
import { bytesText } from '../format.ts'

interface Download {
  readonly address: URL
  /** Where the file goes: a temporary name, since it is not known yet whether it is the right one. */
  readonly path: string
  /** In bytes; more is refused as soon as it comes. */
  readonly mostBytes: number
  /** Whether an address that is not on this machine may have no TLS. */
  readonly allowsHttp: boolean
  readonly signal: AbortSignal
  /** @param totalBytes undefined where the server does not say it */
  onProgress(bytes: number, totalBytes: number | undefined): void
}

interface DownloadedFile {
  readonly bytes: number
  /** In hexadecimal digits. */
  readonly sha256: string
}

/** A server that sends nothing for so long is given up. */
const IDLE_MS = 60_000
const REDIRECTS = 5

/**
 * Fetches a file in constant memory.
 * @throws RunFailure; the signal's reason
 */
export async function download({ address, path, mostBytes, allowsHttp, signal, onProgress }: Download): Promise<DownloadedFile> {
  const idle = new AbortController()
  const timer = setTimeout(() => idle.abort(), IDLE_MS)
  const hash = createHash('sha256')
  let bytes = 0

  async function* countBytes(body: AsyncIterable<Uint8Array>, totalBytes: number | undefined): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      timer.refresh()
      bytes += chunk.length
      if (bytes > mostBytes)
        throw new RunFailure(`${address.href} sends more than ${bytesText(mostBytes)}, which is not expected.`)
      hash.update(chunk)
      onProgress(bytes, totalBytes)
      yield chunk
    }
  }
  try {
    const { body, totalBytes } = await open(address, allowsHttp, AbortSignal.any([signal, idle.signal]))
    await pipeline(countBytes(body, totalBytes), createWriteStream(path))
    return { bytes, sha256: hash.digest('hex') }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RunFailure) throw error
    if (idle.signal.aborted) throw new RunFailure(`${address.href} has sent nothing for ${IDLE_MS / 1000} s.`)
    if (systemCode(error) === 'ENOSPC') throw new RunFailure(`The disk of ${path} is full.`, { cause: error })
    throw new RunFailure(`${address.href} cannot be fetched: ${reasonOf(error)}.`, { cause: error })
  } finally {
    clearTimeout(timer)
  }
}

/** Follows redirects itself, since each has to be as safe as the address. @throws RunFailure; Error of the network */
async function open(address: URL, allowsHttp: boolean, signal: AbortSignal) {
  let url = address
  for (let nth = 0; nth <= REDIRECTS; nth++) {
    if (url.protocol !== 'https:' && !(url.protocol === 'http:' && (allowsHttp || isLoopback(url))))
      throw new RunFailure(`${url.href} is not an https URL: --allow-http takes it all the same, and the hash is checked.`)
    const response = await fetch(url, { redirect: 'manual', signal, headers: { accept: '*/*', 'accept-encoding': 'identity' } })
    const location = response.headers.get('location')
    if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url)) {
      await response.body?.cancel()
      url = new URL(location, url)
      continue
    }
    if (response.status === 200 && response.body) {
      const length = response.headers.get('content-length')
      return { body: response.body, totalBytes: length === null ? undefined : Number(length) }
    }
    await response.body?.cancel()
    throw new RunFailure(`${url.href} answered with status ${response.status}.`)
  }
  throw new RunFailure(`${address.href} leads through more than ${REDIRECTS} redirects.`)
}

const isLoopback = ({ hostname }: URL): boolean => hostname === 'localhost' || hostname === '[::1]' || /^127\./.test(hostname)

/** Node has the reason in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = systemCode(cause)
  if (['ENOTFOUND', 'EAI_AGAIN'].includes(code)) return 'its name cannot be resolved; is there a network?'
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  return cause instanceof Error ? cause.message : String(cause)
}
