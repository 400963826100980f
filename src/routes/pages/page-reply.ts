import type { PageFile } from '../../dashboard/pages.ts'
import { ENCODINGS } from '../../dashboard/pages.ts'
import type { Call, Reply } from '../../http/route.ts'

/** An encoding that a client names, with a weight or without; `;q=0` refuses it (RFC 9110 §12.5.3). */
const accepts = (header: string, encoding: string): boolean =>
  header.split(',').some((part) => {
    const [name, weight] = part
      .trim()
      .toLowerCase()
      .split(/\s*;\s*q=/)
    return name === encoding && Number(weight ?? 1) > 0
  })

/** A built file in the smallest form that the client reads, or 304. */
export function pageReply(file: PageFile, { request }: Call, headers: Readonly<Record<string, string>>): Reply {
  const wanted = request.header('accept-encoding') ?? ''
  const encoding = ENCODINGS.find(({ name }) => file.encoded.has(name) && accepts(wanted, name))?.name
  const etag = `"${file.etag}${encoding ? `-${encoding}` : ''}"`
  const own = { ...headers, etag, vary: 'Accept-Encoding' }
  const known = request.header('if-none-match')?.split(/\s*,\s*/)
  if (known?.some((tag) => tag.replace(/^W\//, '') === etag)) return { status: 304, headers: own, body: '' }
  return {
    headers: { ...own, 'content-type': file.mime, ...(encoding && { 'content-encoding': encoding }) },
    body: (encoding && file.encoded.get(encoding)) || file.bytes,
  }
}
