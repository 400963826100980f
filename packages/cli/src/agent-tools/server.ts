import { McpServer } from '@modelcontextprotocol/server'
import { CodedError, ImageError } from '@pixelmill/codecs/contract/image-errors'
import { VERSION } from '@pixelmill/engine/version'
import type { Door, MadeImage } from './door.ts'
import { registerResources } from './resources.ts'
import { type Tool, toolsOf } from './tools.ts'

/**
 * An MCP server with the tools of one door. What is wrong with an image or its recipe is a result with `isError`, which a model can
 * read and correct, as the specification asks for.
 * @param onFault is told of errors that have no code
 */
export function mcpServer<Image>(door: Door<Image>, onFault: (error: unknown) => void): McpServer {
  const server = new McpServer(
    { name: 'pixelmill', title: 'Pixelmill', version: VERSION },
    {
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false, subscribe: false } },
      instructions: 'Convert, compress, edit and inspect images. Results are named, not sent: pass their names to the next tool.',
    },
  )
  for (const tool of toolsOf(door)) {
    const { name, title, description, params: inputSchema, readOnly } = tool
    const annotations = { title, readOnlyHint: readOnly, destructiveHint: false, openWorldHint: false }
    server.registerTool(name, { title, description, inputSchema, annotations }, (params, context) =>
      call(tool, params, context.mcpReq.signal, onFault),
    )
  }
  registerResources(server, door, onFault)
  return server
}

async function call(
  tool: Tool,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
) {
  try {
    const { facts, links = [], preview } = await tool.run(params, signal)
    return { content: [text(facts), ...links.map(link), ...(preview ? [picture(preview)] : [])], structuredContent: { ...facts } }
  } catch (error) {
    if (!(error instanceof CodedError)) onFault(error)
    const { code, message, issues, retryAfterSeconds } = error instanceof CodedError ? error : new ImageError('internal_error')
    const fault = { error: code, message, ...(issues && { issues }), ...(retryAfterSeconds && { retryAfterSeconds }) }
    return { content: [text(fault)], isError: true }
  }
}

const text = (value: object) => ({ type: 'text' as const, text: JSON.stringify(value) })

const link = ({ uri, output, mime, bytes }: MadeImage) => ({
  type: 'resource_link' as const,
  uri,
  name: output,
  mimeType: mime,
  size: bytes,
})

const picture = (jpeg: Buffer) => ({ type: 'image' as const, mimeType: 'image/jpeg', data: jpeg.toString('base64') })
