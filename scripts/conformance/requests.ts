import { recognise } from '../../src/codecs/index.ts'

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

function form(file: Buffer, fields: Readonly<Record<string, string>>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('image', new Blob([new Uint8Array(file)]), 'image')
  return body
}

const operation = (name: string, fields: Readonly<Record<string, string>>): Request => ({
  name,
  path: `/api/v1/${name}`,
  body: (file) => form(file, fields),
  answersImage: true,
  seconds: 30,
})

/** Most files here are small, so they are enlarged; all are enhanced with auto. */
const enhance = (mode: 'auto' | 'upscale'): Request => ({
  name: `enhance ${mode}`,
  path: '/v1/ai/enhance',
  body: (file) => JSON.stringify({ image: `data:${recognise(file)?.mime ?? ''};base64,${file.toString('base64')}`, mode }),
  answersImage: false,
  seconds: LONG,
})

/** The first request determines which files count as converted. */
export const requests: readonly Request[] = [
  operation('convert', { format: 'webp' }),
  operation('resize', { width: '64', height: '64' }),
  operation('optimize', {}),
  enhance('auto'),
  enhance('upscale'),
  { ...operation('background-remove', {}), path: '/api/background-remove', seconds: LONG },
]
