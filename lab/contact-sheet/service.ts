import { recognise } from '@pixelmill/codecs'
import type { Cell } from './sheet.ts'

export interface Service {
  readonly url: string
  readonly key: string
}

/** An answer of the service: an image with its description, or an error. */
export interface Answer {
  readonly image?: Buffer
  readonly words: Cell['words']
}

const call = ({ url, key }: Service, path: string, body: FormData | string) =>
  fetch(url + path, {
    method: 'POST',
    body,
    headers: {
      authorization: `Bearer ${key}`,
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
    },
  })

const refusal = async (answer: Response): Promise<Answer> => ({
  words: [((await answer.json()) as { readonly statusMessage: string }).statusMessage, ''],
})

/** The picture as PNG, whatever its format; undefined if it is refused. */
export async function pngOf(service: Service, file: Buffer): Promise<Buffer | undefined> {
  const answer = await call(service, '/api/v1/convert', formOf(file, { format: 'png' }))
  return answer.ok ? Buffer.from(await answer.arrayBuffer()) : undefined
}

function formOf(file: Buffer, fields: Readonly<Record<string, string>> = {}): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('image', new Blob([new Uint8Array(file)]), 'image')
  return form
}

/** The picture without its background, with remover and confidence. */
export async function cutOut(service: Service, file: Buffer): Promise<Answer> {
  const answer = await call(service, '/api/background-remove', formOf(file))
  if (!answer.ok) return refusal(answer)
  const [remover, confidence] = ['removal', 'confidence'].map((name) => answer.headers.get(`x-background-${name}`))
  return { image: Buffer.from(await answer.arrayBuffer()), words: [remover ?? '', `confidence ${confidence}`] }
}

interface Enhanced {
  readonly operations: readonly { readonly name: string }[]
  readonly metrics: Readonly<Record<'noiseBefore' | 'noiseAfter' | 'sharpnessBefore' | 'sharpnessAfter', number>>
  readonly image: string
}

/** The picture enhanced with auto. */
export async function enhance(service: Service, file: Buffer): Promise<Answer & { readonly before: Cell['words'] }> {
  const image = `data:${recognise(file)?.mime};base64,${file.toString('base64')}`
  const answer = await call(service, '/v1/ai/enhance', JSON.stringify({ image, mode: 'auto' }))
  if (!answer.ok) return { ...(await refusal(answer)), before: ['', ''] }
  const { operations, metrics, image: resultImage } = (await answer.json()) as Enhanced
  const figures = (noise: number, sharpness: number) => `noise ${noise.toFixed(1)}, sharp ${sharpness.toFixed(2)}`
  const changes = operations.map(({ name }) => name).join(', ') || 'left as it is'
  return {
    image: Buffer.from(resultImage.slice(resultImage.indexOf(',') + 1), 'base64'),
    words: [changes, figures(metrics.noiseAfter, metrics.sharpnessAfter)],
    before: ['detail', figures(metrics.noiseBefore, metrics.sharpnessBefore)],
  }
}
