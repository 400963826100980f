import type { Component } from 'svelte'
import { imageOperations } from '../../api/image-operations.ts'
import type { Preview } from './preview.ts'

export type OperationName = keyof typeof imageOperations

/** What every tool that is no image operation is given. */
export interface ToolProps {
  readonly picture: File
  readonly preview: Preview
  /** Goes over to another tool. */
  readonly onswitch: (tool: ToolName) => void
}

export interface OtherTool {
  readonly name: string
  readonly label: string
  readonly group: Group
  /** Its file is loaded when it is first shown. */
  readonly load: () => Promise<{ readonly default: Component<ToolProps> }>
}

export const groups = { edit: 'Edit', mend: 'Cut out and mend', see: 'By what is seen' } as const
export type Group = keyof typeof groups

interface OperationTool {
  readonly name: OperationName
  readonly label: string
  readonly group: Group
  /** Has a result without being told anything: shown as soon as there is a picture. */
  readonly runsAtOnce: boolean
}

function operationTool(name: OperationName): OperationTool {
  const { files, fields } = imageOperations[name]
  const runsAtOnce = files.length === 1 && !Object.values(fields).some((field) => 'required' in field)
  return { name, label: name.charAt(0).toUpperCase() + name.slice(1), group: 'edit', runsAtOnce }
}

/** The image operations: first those that run at once. */
export const operationTools = (Object.keys(imageOperations) as OperationName[])
  .map(operationTool)
  .sort((one, other) => Number(other.runsAtOnce) - Number(one.runsAtOnce))

const otherTools = [
  { name: 'background', label: 'Remove background', group: 'mend', load: () => import('./background/Background.svelte') },
  { name: 'enhance', label: 'Enhance', group: 'mend', load: () => import('./ai/Enhance.svelte') },
  { name: 'alt-text', label: 'Alt text', group: 'see', load: () => import('./ai/AltText.svelte') },
  { name: 'rename', label: 'Rename', group: 'see', load: () => import('./ai/FileName.svelte') },
  { name: 'smart-crop', label: 'Smart crop', group: 'see', load: () => import('./ai/SmartCrop.svelte') },
  { name: 'recommend', label: 'Recommend', group: 'see', load: () => import('./ai/Recommend.svelte') },
] as const satisfies readonly OtherTool[]

export type Tool = OperationTool | (typeof otherTools)[number]
export type ToolName = Tool['name']

/** Everything that the playground offers. The picture is the same for all. */
export const tools: readonly Tool[] = [...operationTools, ...otherTools]

/** Offered where none is chosen. */
export const firstTool = operationTool('convert')

export const isOperation = (tool: Tool): tool is OperationTool => 'runsAtOnce' in tool

export const toolNamed = (name: string | null): Tool => tools.find((tool) => tool.name === name) ?? firstTool
