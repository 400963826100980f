import { type Answer, jsonOf } from '../../../api/client.ts'
import { send } from '../../../api/send.ts'
import { infoFields, toolForms } from '../../../api/tool-forms.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { ToolRun } from '../tool-run.svelte.ts'

export type ImageInfo = Exclude<Answer<'/api/v3/info', 'post'>, { images: unknown }>

/** Whether the place of the photograph is asked for too. */
class Choice {
  place = $state(false)
}

export const choice = new Choice()
export const form = new FieldForm({})
export const run = new ToolRun<ImageInfo>()
export const fingerprint = (): string => String(choice.place)

/** All fields are named: without a list the API answers all but the place. */
export const path = (): string => (choice.place ? `${toolForms.info.path}?fields=${infoFields.join(',')}` : toolForms.info.path)

export function inspect(image: File): void {
  void run.start(image, fingerprint(), async (signal) => {
    const body = new FormData()
    body.append('image', image)
    return (await jsonOf(await send(path(), { method: 'POST', body, signal }))) as ImageInfo
  })
}
