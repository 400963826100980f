import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { refuseNul } from '@pixelmill/codecs/contract/nul'
import { z } from 'zod'
import { safeName } from '../../archives/paths.ts'
import type { RequestFacts } from '../../http/route.ts'
import type { Handles } from '../handles.ts'
import { stateHeaders, summaryOf, type UploadRow } from '../upload.ts'

// The headers of uploads: draft-ietf-httpbis-resumable-upload-11, RFC 9530 and RFC 6266.

type Header = RequestFacts['header']

export const PARTIAL = 'application/partial-upload'

export const pathOf = ({ handle }: Pick<UploadRow, 'handle'>): string => `/api/v3/uploads/${handle}`

/** What may be sent, and for how long. */
export const limitHeader = ({ limits }: Handles, row?: Pick<UploadRow, 'expires_at'>): Record<string, string> => {
  const left = row && Math.max(0, Math.floor((row.expires_at.getTime() - Date.now()) / 1000))
  return { 'upload-limit': `max-size=${limits.mostBytes}${left === undefined ? '' : `, max-age=${left}`}` }
}

/** How far an upload is. */
export const progressHeaders = (handles: Handles, row: UploadRow): Record<string, string> => ({
  ...stateHeaders(row),
  ...(row.length !== null && { 'upload-length': String(row.length) }),
  ...limitHeader(handles, row),
})

export const uploadAnswer = z.object({
  handle: z.string().describe('Is sent in the field upload in place of a file. Only for requests of the same account.'),
  bytes: z.int().min(0).describe('Those that have arrived.'),
  expiresAt: z.iso.datetime().describe('An hour after the last request that sent a part of it.'),
})

export const uploadBody = (row: UploadRow): z.input<typeof uploadAnswer> => summaryOf(row)

/** Whether a request completes its upload; undefined where it does not say so, which other values count as. */
export function completes(header: Header): boolean | undefined {
  const value = header('upload-complete')?.trim()
  return value === '?1' ? true : value === '?0' ? false : undefined
}

/** RFC 9651 §3.3.1: at most 15 digits. Other values count as absent. */
export function integer(header: Header, name: string): number | undefined {
  const value = header(name)?.trim() ?? ''
  return /^\d{1,15}$/.test(value) ? Number(value) : undefined
}

const SHA_256 = /(?:^|,)\s*sha-256\s*=\s*:([A-Za-z0-9+/]{43}=):\s*(?:[,;]|$)/

/** SHA-256 of Repr-Digest; other digests are ignored. @throws ApiError invalid_params */
export function digest(header: Header): Buffer | undefined {
  const value = header('repr-digest')
  if (value === undefined || !/(^|,)\s*sha-256\s*=/.test(value)) return undefined
  const [, text] = SHA_256.exec(value) ?? []
  if (text === undefined) throw invalidParam('Repr-Digest', 'invalid_format', 'Must have the form sha-256=:<Base64>:.')
  return Buffer.from(text, 'base64')
}

/** The file name of Content-Disposition. @throws ApiError invalid_params */
export function fileName(header: Header): string | undefined {
  const value = header('content-disposition') ?? ''
  const [, encodedText] = /;\s*filename\*\s*=\s*UTF-8''([^;\s]+)/i.exec(value) ?? []
  const [, quotedText, token] = /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;\s"]+))/i.exec(value) ?? []
  const name = decodeText(encodedText) ?? quotedText?.replaceAll(/\\(.)/g, '$1') ?? token
  refuseNul({ 'Content-Disposition': name })
  return keptName(name)
}

function decodeText(text: string | undefined): string | undefined {
  try {
    return text === undefined ? undefined : decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** A name that every system accepts, without folders. */
export function keptName(name: string | null | undefined): string | undefined {
  const last = (name ?? '').split(/[/\\]/).at(-1)?.trim() ?? ''
  return last === '' ? undefined : safeName(last.toWellFormed())
}

/** Attachment with the name of the file, where one was sent. */
export function dispositionOf({ name }: Pick<UploadRow, 'name'>): string {
  if (name === null) return 'attachment'
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_')
  const escapedText = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `attachment; filename="${ascii}"${ascii === name ? '' : `; filename*=UTF-8''${escapedText}`}`
}

export const stateTexts = {
  'Upload-Offset': 'Bytes that have arrived.',
  'Upload-Complete': '?1 if all have arrived, else ?0.',
  'Upload-Limit': 'Most bytes of an upload (max-size), and seconds until it expires (max-age).',
} as const
