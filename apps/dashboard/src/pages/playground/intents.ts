import type { ToolName } from './tools.ts'

/** The tools of the pages that are about one intent, by the names of their addresses. */
export const intents = {
  background: ['background'],
  describe: ['alt-text', 'rename', 'recommend'],
  inspect: ['info'],
} as const satisfies Readonly<Record<string, readonly ToolName[]>>

/** Where a tool is: on the page of its intent, or with all others. */
export function addressOfTool(name: ToolName): string {
  const [page, names] = Object.entries(intents).find(([, of]) => (of as readonly ToolName[]).includes(name)) ?? ['playground', []]
  return names[0] === name ? `/${page}` : `/${page}?${new URLSearchParams({ tool: name })}`
}
