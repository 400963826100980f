import type { imageOperations } from '../../api/image-operations.ts'

export type OperationName = keyof typeof imageOperations

/**
 * What the playground offers, in this order. A tool of another kind (cutting out the background, alt text, crops by a model …)
 * gets a row here with a `kind` of its own, and its component a branch in Playground.svelte; the picture is the same for all.
 */
export const tools = [
  { name: 'convert', label: 'Convert', kind: 'operation', runsAtOnce: true },
  { name: 'optimize', label: 'Optimize', kind: 'operation', runsAtOnce: true },
  { name: 'resize', label: 'Resize', kind: 'operation', runsAtOnce: false },
  { name: 'crop', label: 'Crop', kind: 'operation', runsAtOnce: false },
  { name: 'watermark', label: 'Watermark', kind: 'operation', runsAtOnce: false },
] as const satisfies readonly {
  readonly name: OperationName
  readonly label: string
  readonly kind: 'operation'
  /** Has a result without being told anything: shown as soon as there is a picture. */
  readonly runsAtOnce: boolean
}[]

export type ToolName = (typeof tools)[number]['name']

export const toolNamed = (name: string | null): (typeof tools)[number] => tools.find((tool) => tool.name === name) ?? tools[0]
