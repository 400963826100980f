import { type MadePicture, makePicture } from './made-picture.ts'
import type { OperationForm } from './operation-form.svelte.ts'
import type { ToolRun } from './tool-run.svelte.ts'

/** The settings of the form as text, for comparison. */
export const fingerprint = (form: OperationForm): string => {
  const { watermark } = form
  return JSON.stringify([form.params(), watermark?.name, watermark?.size, watermark?.lastModified])
}

export function runOperation(form: OperationForm, run: ToolRun<MadePicture>, image: File): void {
  const { name, watermark } = form
  const [params, files] = [form.params(), { image, ...(watermark && { watermark }) }]
  void run.start(image, fingerprint(form), (signal) => makePicture(`/api/v1/${name}`, files, params, signal))
}
