import { ApiFailure } from '../../../api/api-failure.ts'
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
const MOST = 100
/** What is wrong with one picture keeps no other from its text. */
const OF_ONE_PICTURE: readonly (number | undefined)[] = [undefined, 400, 413, 415, 422]

export const form = new FieldForm(toolForms['alt-text'].fields, altTextLooks)
export const run = new ToolRun<void>()
export const bodyOf = (image: string) => ({ images: [image], ...jsonBody(form) })

/** All texts for the pictures, newest first, to compare languages and styles. */
let texts = $state.raw<readonly AltText[]>([])
export const textsOf = (source: File): readonly AltText[] => texts.filter((text) => text.source === source)
/** Why a picture among several has no text. */
let failures = $state.raw<ReadonlyMap<File, ApiFailure>>(new Map())
export const failureOf = (source: File): ApiFailure | undefined => failures.get(source)
let lastId = 0

/** One picture after the other, so that each text is there as soon as it is written, and a small model server is not overrun. */
export async function write(sources: readonly File[], models: Models): Promise<void> {
  const [first] = sources
  if (!first) return
  const provider = models.provider()
  failures = new Map()
  await run.start(first, '', async (signal) => {
    for (const source of sources) {
      try {
        const body = { ...bodyOf(await toDataUri(source)), ...provider }
        const answer = await api.post('/v1/ai/alt-text', { body, signal })
        texts = [{ id: ++lastId, source, answer, said: onlyResult(answer.results) }, ...texts].slice(0, MOST)
      } catch (error) {
        const isItsOwn = error instanceof ApiFailure && !error.isTemporary && OF_ONE_PICTURE.includes(error.status)
        if (sources.length === 1 || !isItsOwn) throw error
        failures = new Map([...failures, [source, error]])
      }
    }
  })
}

/** The texts of other pictures are of no more use. */
export function keepTextsOf(sources: readonly File[]): void {
  texts = texts.filter(({ source }) => sources.includes(source))
}
