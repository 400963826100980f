import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { PlannedRequest } from './load-plan.ts'

const boundary = 'pixelmill-bench-7f3a9c51e8'

export const contentType = `multipart/form-data; boundary=${boundary}`

const part = (name: string, content: Buffer | string, fileName?: string) => [
  Buffer.from(
    `--${boundary}\r\ncontent-disposition: form-data; name="${name}"` +
      (fileName ? `; filename="${fileName}"\r\ncontent-type: application/octet-stream` : '') +
      '\r\n\r\n',
  ),
  Buffer.from(content),
  Buffer.from('\r\n'),
]

/** The whole upload as one buffer, built before the clock starts; empty for a GET. */
export function multipartBody({ files, fields = {} }: PlannedRequest): Buffer | undefined {
  if (!files) return undefined
  return Buffer.concat([
    ...Object.entries(files).flatMap(([name, file]) => part(name, readFileSync(file), basename(file))),
    ...Object.entries(fields).flatMap(([name, value]) => part(name, value)),
    Buffer.from(`--${boundary}--\r\n`),
  ])
}
