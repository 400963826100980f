import { ApiFailure } from '../../api/api-failure.ts'
import { send } from '../../api/send.ts'

export type Params = Readonly<Record<string, string | number | boolean>>

/** The answer of an image operation, with the data of its headers. */
export interface Rendered {
  readonly blob: Blob
  readonly fileName: string
  readonly inputBytes: number
  readonly width: number
  readonly height: number
  readonly savedPercent: number
  /** The time from the click to the last byte. */
  readonly ms: number
  /** Calls of the month or credits; undefined if unlimited. */
  readonly callsLeft: number | undefined
  /** `heic->jpeg` if the format could not be kept. */
  readonly fallback: string | undefined
  readonly headers: Headers
}

const FILE_NAME = /filename="([^"]+)"/

/** A browser does not send a file that has changed since it was chosen, and only reports that the request failed. */
async function explain(error: unknown, files: readonly File[]): Promise<unknown> {
  if (!(error instanceof ApiFailure && error.code === 'unreachable')) return error
  const readings = await Promise.allSettled(files.map((file) => file.slice(0, 1).arrayBuffer()))
  const lostFile = files.find((_, nth) => readings[nth]?.status === 'rejected')
  return lostFile
    ? new ApiFailure('unreadable_file', `“${lostFile.name}” has changed or gone since it was chosen. Choose it again.`)
    : error
}

/** @throws ApiFailure; AbortError */
export async function sendImage(
  path: string,
  files: Readonly<Record<string, File>>,
  params: Params,
  signal: AbortSignal,
): Promise<Rendered> {
  const began = performance.now()
  const body = new FormData()
  // Parameters first: they are small, and their errors are known before the picture has arrived.
  for (const [name, value] of Object.entries(params)) body.append(name, String(value))
  for (const [name, file] of Object.entries(files)) body.append(name, file)
  const response = await send(path, { method: 'POST', body, signal }).catch(async (error: unknown) => {
    throw await explain(error, Object.values(files))
  })
  const blob = await response.blob()
  const { headers } = response
  const left = Number(headers.get('x-ratelimit-remaining') ?? Number.NaN)
  return {
    blob,
    fileName: FILE_NAME.exec(headers.get('content-disposition') ?? '')?.[1] ?? 'result',
    inputBytes: Number(headers.get('x-input-size')),
    width: Number(headers.get('x-image-width')),
    height: Number(headers.get('x-image-height')),
    savedPercent: Number(headers.get('x-saved-percent')),
    ms: performance.now() - began,
    callsLeft: Number.isNaN(left) ? undefined : left,
    fallback: headers.get('x-format-fallback') ?? undefined,
    headers,
  }
}
