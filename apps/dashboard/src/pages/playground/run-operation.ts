import { type MadePicture, makePicture } from './made-picture.ts'
import type { OperationForm } from './operation-form.svelte.ts'
import type { ToolRun } from './tool-run.svelte.ts'

/** The settings of the form as text, for comparison. */
export const fingerprint = (form: OperationForm): string => {
  const { name, size, lastModified } = form.mark?.file ?? {}
  return JSON.stringify([form.params(), name, size, lastModified])
}

export function runOperation(form: OperationForm, run: ToolRun<MadePicture>, image: File): void {
  const { name, mark } = form
  const params = form.params()
  const files = { image, ...(mark && { watermark: mark.file }) }
  void run.start(image, fingerprint(form), (signal) => makePicture(`/api/v1/${name}`, files, params, signal))
}
