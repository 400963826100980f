import { type Answer, api } from '../../../api/client.ts'
import { toolForms } from '../../../api/tool-forms.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { ToolRun } from '../tool-run.svelte.ts'
import { toDataUri } from './data-uri.ts'
import { jsonBody } from './json-body.ts'
import type { Models } from './models.svelte.ts'
import { onlyResult } from './only-result.ts'
import { altTextLooks } from './tool-looks.ts'

type Asked = Answer<'/v1/ai/alt-text', 'post'>

export interface AltText {
  readonly id: number
  readonly source: File
  readonly answer: Asked
  readonly said: Extract<Asked['results'][number], { status: 'ok' }>
}

/** More than a user will read. */
const MOST = 20

export const form = new FieldForm(toolForms['alt-text'].fields, altTextLooks)
export const run = new ToolRun<AltText>()
export const bodyOf = (image: string) => ({ images: [image], ...jsonBody(form) })

/** All texts for the picture, newest first, to compare languages and styles. */
let texts = $state.raw<readonly AltText[]>([])
export const textsOf = (source: File): readonly AltText[] => texts.filter((text) => text.source === source)
let startMs = 0

export async function write(source: File, models: Models): Promise<void> {
  const provider = models.provider()
  const result = await run.start(source, '', async (signal) => {
    const body = { ...bodyOf(await toDataUri(source)), ...provider }
    const answer = await api.post('/v1/ai/alt-text', { body, signal })
    return { id: ++startMs, source, answer, said: onlyResult(answer.results) }
  })
  if (result) texts = [result, ...textsOf(source)].slice(0, MOST)
}
