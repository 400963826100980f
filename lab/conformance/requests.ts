import { recognise } from '@pixelmill/codecs'
import { exampleRequests } from '../bench/operations/example-requests.ts'

/** A request to the service about a file. */
export interface Request {
  readonly name: string
  readonly path: string
  /** @returns a form, or JSON as a text */
  body(file: Buffer): FormData | string
  /** The answer is an image, not a description of one. */
  readonly answersImage: boolean
  /** Timeout for the answer. */
  readonly seconds: number
}

/** Filters that read every pixel many times take a minute for the largest, and may wait for others. */
const LONG = 180

/** The file is also the watermark, where an operation has one. */
function form(file: Buffer, fields: Readonly<Record<string, string>>, files: readonly string[] = ['image']): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  for (const name of files) body.append(name, new Blob([new Uint8Array(file)]), name)
  return body
}

/** Most files here are small, so they are enlarged; all are enhanced with auto. */
const enhance = (mode: 'auto' | 'upscale'): Request => ({
  name: `enhance ${mode}`,
  path: '/v1/ai/enhance',
  body: (file) => JSON.stringify({ image: `data:${recognise(file)?.mime ?? ''};base64,${file.toString('base64')}`, mode }),
  answersImage: false,
  seconds: LONG,
})

/** The first request, a conversion, determines which files count as converted. */
export const requests: readonly Request[] = [
  ...exampleRequests.map(
    ({ name, path, fields, files }): Request => ({
      name,
      path,
      answersImage: true,
      seconds: 30,
      body: (file) => form(file, fields, files),
    }),
  ),
  enhance('auto'),
  enhance('upscale'),
  {
    name: 'background-remove',
    path: '/api/background-remove',
    answersImage: true,
    seconds: LONG,
    body: (file) => form(file, {}),
  },
]
