import { type MadePicture, releasePicture } from './made-picture.ts'
import { OperationForm } from './operation-form.svelte.ts'
import { ToolRun } from './tool-run.svelte.ts'
import { type OperationName, operationTools } from './tools.ts'

interface Bench {
  readonly form: OperationForm
  readonly run: ToolRun<MadePicture>
}

/** Settings and results of every operation: kept while the user visits another one, or another page. */
export const bench = Object.fromEntries(
  operationTools.map(({ name }) => [name, { form: new OperationForm(name), run: new ToolRun<MadePicture>(releasePicture) }]),
) as unknown as Readonly<Record<OperationName, Bench>>
