import { type Answer, api } from '../../../api/client.ts'
import { toolForms } from '../../../api/tool-forms.ts'
import { resultName } from '../../../shown/file-names.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { releasePicture } from '../made-picture.ts'
import { type Preview, previewOf } from '../preview.ts'
import { ToolRun } from '../tool-run.svelte.ts'
import { extensionOf, fromDataUri, toDataUri } from './data-uri.ts'
import { jsonBody } from './json-body.ts'
import { enhanceLooks } from './tool-looks.ts'

export interface Enhanced {
  readonly answer: Answer<'/v1/ai/enhance', 'post'>
  readonly preview: Preview
  readonly url: string
  readonly fileName: string
  readonly ms: number
}

export const form = new FieldForm(toolForms.enhance.fields, enhanceLooks)
export const run = new ToolRun<Enhanced>(releasePicture)
export const fingerprint = (): string => JSON.stringify(form.params())
export const bodyOf = (image: string) => ({ image, ...jsonBody(form) })
export const { path } = toolForms.enhance

export function enhance(source: File): void {
  void run.start(source, fingerprint(), async (signal) => {
    const began = performance.now()
    const answer = await api.post('/v1/ai/enhance', { body: bodyOf(await toDataUri(source)), signal })
    const ms = performance.now() - began
    const blob = fromDataUri(answer.image ?? 'data:image/jpeg;base64,')
    const fileName = resultName(source.name, `enhanced.${extensionOf(blob.type)}`)
    const preview = await previewOf(new File([blob], fileName, { type: blob.type }), signal)
    return { answer, preview, url: URL.createObjectURL(blob), fileName, ms }
  })
}
