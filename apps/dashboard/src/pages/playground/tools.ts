import type { Component } from 'svelte'
import { endpointNames, imageOperations } from '../../api/image-operations.ts'
import type { toolForms } from '../../api/tool-forms.ts'
import { fieldLooks } from './field-looks.ts'
import type { Preview } from './preview.ts'

export type OperationName = keyof typeof imageOperations

/** The properties of every tool that is not an image operation. */
export interface ToolProps {
  readonly picture: File
  readonly preview: Preview
  /** All pictures that were opened at once, for a tool that takes several. */
  readonly pictures?: readonly File[] | undefined
  /** Switches to another tool. */
  readonly onswitch: (tool: ToolName) => void
}

export interface OtherTool {
  readonly name: OtherToolName
  readonly label: string
  readonly group: Group
  readonly takesSeveral?: true
  /** Its file is loaded when it is first shown. */
  readonly load: () => Promise<{ readonly default: Component<ToolProps> }>
}

export const groups = { edit: 'Edit', repair: 'Cut out and repair', see: 'By content' } as const
export type Group = keyof typeof groups

interface OperationTool {
  readonly name: OperationName
  readonly label: string
  readonly group: Group
  /** Needs no settings: runs as soon as there is a picture. */
  readonly runsAtOnce: boolean
}

function operationTool(name: OperationName): OperationTool {
  const { files, fields } = imageOperations[name]
  const runsAtOnce = files.length === 1 && !Object.values(fields).some((field) => 'required' in field)
  return { name, label: endpointNames[`/api/v1/${name}`] ?? name, group: 'edit', runsAtOnce }
}

/** Whether a first result shows what can be set: true for the basic tools. */
const isFirst = ({ name, runsAtOnce }: OperationTool): boolean =>
  runsAtOnce && Object.keys(imageOperations[name].fields).some((field) => !fieldLooks[field]?.rare)

/** The image operations in the order of the server's table, the basic ones first. */
export const operationTools = (Object.keys(imageOperations) as OperationName[])
  .map(operationTool)
  .sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))

type OtherToolName = keyof typeof toolForms

/** A tool of the server's table that is missing here is a type error. */
const otherToolLooks: Readonly<Record<OtherToolName, Omit<OtherTool, 'name'>>> = {
  background: { label: 'Remove background', group: 'repair', load: () => import('./background/Background.svelte') },
  enhance: { label: 'Enhance', group: 'repair', load: () => import('./ai/Enhance.svelte') },
  info: { label: 'Inspect', group: 'see', load: () => import('./info/Info.svelte') },
  'alt-text': { label: 'Alt text', group: 'see', takesSeveral: true, load: () => import('./ai/AltText.svelte') },
  rename: { label: 'Rename', group: 'see', load: () => import('./ai/FileName.svelte') },
  'smart-crop': { label: 'Smart crop', group: 'see', load: () => import('./ai/SmartCrop.svelte') },
  recommend: { label: 'Recommend', group: 'see', load: () => import('./ai/Recommend.svelte') },
}

const otherTools = (Object.keys(otherToolLooks) as OtherToolName[]).map((name) => ({ name, ...otherToolLooks[name] }))

export type Tool = OperationTool | (typeof otherTools)[number]
export type ToolName = Tool['name']

/** All tools, the first one by default. They share the picture. */
export const tools: readonly Tool[] = [...operationTools, ...otherTools]

export const isOperation = (tool: Tool): tool is OperationTool => 'runsAtOnce' in tool

/** Of the tools of a page the one that the address names, or the first. */
export const toolNamed = (name: string | null, of: readonly ToolName[]): Tool =>
  tools.find((tool) => tool.name === (name !== null && of.some((each) => each === name) ? name : of[0])) ??
  operationTool('convert')
