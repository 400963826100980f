import type { Component } from 'svelte'
import type { imageOperations } from '../../api/image-operations.ts'
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

/** The image operations, in this order. */
export const operationTools = [
  { name: 'convert', label: 'Convert', group: 'edit', runsAtOnce: true },
  { name: 'optimize', label: 'Optimize', group: 'edit', runsAtOnce: true },
  { name: 'resize', label: 'Resize', group: 'edit', runsAtOnce: false },
  { name: 'crop', label: 'Crop', group: 'edit', runsAtOnce: false },
  { name: 'watermark', label: 'Watermark', group: 'edit', runsAtOnce: false },
] as const satisfies readonly {
  readonly name: OperationName
  readonly label: string
  readonly group: Group
  /** Has a result without being told anything: shown as soon as there is a picture. */
  readonly runsAtOnce: boolean
}[]

const otherTools = [
  { name: 'background', label: 'Remove background', group: 'mend', load: () => import('./background/Background.svelte') },
  { name: 'enhance', label: 'Enhance', group: 'mend', load: () => import('./ai/Enhance.svelte') },
  { name: 'alt-text', label: 'Alt text', group: 'see', load: () => import('./ai/AltText.svelte') },
  { name: 'rename', label: 'Rename', group: 'see', load: () => import('./ai/FileName.svelte') },
  { name: 'smart-crop', label: 'Smart crop', group: 'see', load: () => import('./ai/SmartCrop.svelte') },
  { name: 'recommend', label: 'Recommend', group: 'see', load: () => import('./ai/Recommend.svelte') },
] as const satisfies readonly OtherTool[]

/** Everything that the playground offers. The picture is the same for all. */
export const tools = [...operationTools, ...otherTools] as const

export type Tool = (typeof tools)[number]
export type ToolName = Tool['name']

export const isOperation = (tool: Tool): tool is (typeof operationTools)[number] => 'runsAtOnce' in tool

export const toolNamed = (name: string | null): Tool => tools.find((tool) => tool.name === name) ?? tools[0]
