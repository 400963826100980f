import { type Answer, api } from '../../../api/client.ts'
import { toolForms } from '../../../api/tool-forms.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { ToolRun } from '../tool-run.svelte.ts'
import { toDataUri } from './data-uri.ts'
import { jsonBody } from './json-body.ts'
import type { Models } from './models.svelte.ts'
import { onlyResult } from './only-result.ts'
import { renameLooks } from './tool-looks.ts'

type Asked = Answer<'/v1/ai/rename', 'post'>

export interface FileNames {
  readonly answer: Asked
  /** The best one first. */
  readonly names: readonly string[]
  readonly confidence: number
}

export const form = new FieldForm(toolForms.rename.fields, renameLooks)
export const run = new ToolRun<FileNames>()
export const fingerprint = (models: Models): string => JSON.stringify([form.params(), models.whose])
export const bodyOf = (data: string, originalName: string) => ({ images: [{ data, originalName }], ...jsonBody(form) })

export function find(source: File, models: Models): void {
  const provider = models.provider()
  void run.start(source, fingerprint(models), async (signal) => {
    const body = { ...bodyOf(await toDataUri(source), source.name), ...provider }
    const answer = await api.post('/v1/ai/rename', { body, signal })
    const { newName, alternatives, confidence } = onlyResult(answer.results)
    return { answer, names: [...new Set([newName, ...alternatives])], confidence }
  })
}
