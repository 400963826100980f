import type { Issue } from '@pixelmill/codecs/contract/image-errors'

export interface ErrorBody {
  readonly statusCode: number
  readonly statusMessage: string
  readonly message: string
  readonly issues?: readonly Issue[]
  readonly requestId: string
  readonly docs: string
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Buffer
  readonly error: ErrorBody | undefined
}

export interface Input {
  readonly bytes: Buffer
  readonly name?: string
  readonly type?: string
}

type Fields = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>
type Files = Readonly<Record<string, Buffer | Input | readonly Buffer[]>>

/** A form as a browser sends it. */
export function form(fields: Fields = {}, files: Files = {}): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) data.append(name, String(one))
  for (const [name, value] of Object.entries(files)) {
    for (const one of Array.isArray(value) ? value : [value]) {
      const { bytes, name: file = 'upload.bin', type = '' } = Buffer.isBuffer(one) ? { bytes: one } : (one as Input)
      data.append(name, new Blob([new Uint8Array(bytes)], { type }), file)
    }
  }
  return data
}

export async function read(response: Response): Promise<Answer> {
  const bytes = Buffer.from(await response.arrayBuffer())
  const isJson = response.headers.get('content-type')?.includes('json') ?? false
  const error = isJson && response.status >= 400 ? (JSON.parse(bytes.toString()) as ErrorBody) : undefined
  return { status: response.status, headers: response.headers, bytes, error }
}

/** Calls one server with one key. */
export const caller = ({ url, key }: { readonly url: string; readonly key: string }) => ({
  post: async (operation: string, fields: Fields, files: Files, init: RequestInit = {}): Promise<Answer> =>
    read(
      await fetch(`${url}/api/v1/${operation}`, {
        method: 'POST',
        body: form(fields, files),
        ...init,
        headers: { authorization: `Bearer ${key}`, ...init.headers },
      }),
    ),
})
