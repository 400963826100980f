import { randomBytes } from 'node:crypto'

export interface Form {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
}

interface FilePart {
  readonly field: string
  readonly type: string
  readonly bytes: Buffer
}

/** A form with one file (RFC 7578), as bytes: it can be sent again, and its length is known. */
export function formOf(fields: Readonly<Record<string, string>>, { field, type, bytes }: FilePart): Form {
  const boundary = randomBytes(18).toString('hex')
  const part = (headers: string, content: string | Buffer) => [`--${boundary}\r\n${headers}\r\n\r\n`, content, '\r\n']
  const name = `image.${type.replace('image/', '')}`
  const parts = [
    ...Object.entries(fields).flatMap(([key, value]) => part(`Content-Disposition: form-data; name="${key}"`, value)),
    ...part(`Content-Disposition: form-data; name="${field}"; filename="${name}"\r\nContent-Type: ${type}`, bytes),
    `--${boundary}--\r\n`,
  ]
  return { type: `multipart/form-data; boundary=${boundary}`, body: Buffer.concat(parts.map((some) => Buffer.from(some))) }
}
