import { toolForms } from '../../../api/tool-forms.ts'
import { FieldForm } from '../field-form.svelte.ts'
import { type MadePicture, makePicture, releasePicture } from '../made-picture.ts'
import { ToolRun } from '../tool-run.svelte.ts'

/** The remover named by X-Background-Removal, in words. */
const removers: Readonly<Record<string, string>> = {
  external: 'an outside service',
  model: 'a model on this server',
  local: 'this server',
}

export interface CutOut extends MadePicture {
  readonly remover: string
  /** The confidence, from 0 to 1. */
  readonly confidence: number
}

const { path, fields } = toolForms.background
export const backgroundPath = path
export const form = new FieldForm(fields)
export const run = new ToolRun<CutOut>(releasePicture)

export const fingerprint = (): string => JSON.stringify(form.params())

export function removeBackground(image: File): void {
  const params = form.params()
  void run.start(image, fingerprint(), async (signal) => {
    const picture = await makePicture(path, { image }, params, signal)
    const { headers } = picture
    const remover = headers.get('x-background-removal') ?? ''
    return { ...picture, remover: removers[remover] ?? remover, confidence: Number(headers.get('x-background-confidence')) }
  })
}
