import { OperationForm } from './operation-form.svelte.ts'
import { OperationRun } from './operation-run.svelte.ts'
import { type OperationName, tools } from './tools.ts'

/** What is set and what came of it, of every operation: kept while somebody looks at another one, or at another page. */
export const bench = Object.fromEntries(
  tools.map(({ name }) => [name, { form: new OperationForm(name), run: new OperationRun() }]),
) as Readonly<Record<OperationName, { readonly form: OperationForm; readonly run: OperationRun }>>
