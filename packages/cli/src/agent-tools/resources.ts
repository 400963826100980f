import {
  type McpServer,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server'
import { recognise } from '@pixelmill/codecs'
import { CodedError } from '@pixelmill/codecs/contract/image-errors'
import { imageFormats, writtenFormats } from '@pixelmill/codecs/image-formats'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { z } from 'zod'
import type { Door } from './door.ts'
import { recipeGrammar } from './recipe-grammar.ts'

/** What a resource contains: a text, a value that is sent as JSON, or a file. */
type Content = string | object | Buffer

/** Something that an agent, or the person before it, may read without a tool. */
interface Resource {
  readonly name: string
  /** A URI, or a template (RFC 6570). */
  readonly uri: string
  readonly title: string
  readonly description: string
  readonly mimeType?: string
  /** @param uri that is read @param part the variable of the template */
  read(uri: URL, part: string, signal: AbortSignal): Content | Promise<Content>
}

/** What is read of a door. */
type ReadableDoor = Pick<Door, 'batchStatus' | 'presets' | 'results'>

/** The resources as they are in one place. To add one, add its row. */
function resourcesOf(door: ReadableDoor): readonly Resource[] {
  const { presets, results } = door
  return [
    {
      name: 'formats',
      uri: 'pixelmill://formats',
      title: 'Formats',
      description: 'The formats that are read and written, with their media types and extensions.',
      mimeType: JSON_TYPE,
      read: () =>
        Object.entries(imageFormats).map(([name, { title, mime, extensions }]) => ({
          name,
          title,
          mime,
          extensions,
          isWritten: (writtenFormats as readonly string[]).includes(name),
        })),
    },
    {
      name: 'recipe',
      uri: 'pixelmill://recipe',
      title: 'The grammar of recipes',
      description: 'Steps and outputs in few words, as edit_image takes them.',
      mimeType: 'text/plain',
      read: recipeGrammar,
    },
    {
      name: 'recipe-schema',
      uri: 'pixelmill://recipe/schema',
      title: 'The JSON Schema of recipes',
      description: 'Every parameter with its range.',
      mimeType: 'application/schema+json',
      read: () => z.toJSONSchema(recipeSchema, { io: 'input', unrepresentable: 'any' }),
    },
    ...(presets
      ? [
          {
            name: 'presets',
            uri: 'pixelmill://presets',
            title: 'Presets',
            description: 'The recipes that the account keeps under names; the key needs the scope presets.',
            mimeType: JSON_TYPE,
            read: (_uri: URL, _part: string, signal: AbortSignal) => presets.call(door, signal),
          },
        ]
      : []),
    {
      name: 'batch',
      uri: 'pixelmill://batches/{part}',
      title: 'A batch',
      description: 'How far a batch is, by the id of make_batch.',
      mimeType: JSON_TYPE,
      read: (_uri, id, signal) => door.batchStatus(id, signal),
    },
    {
      name: 'result',
      uri: results.template,
      title: 'A result',
      description: 'An image that a tool has made, by the uri in its answer.',
      read: (uri, part, signal) => results.read(uri, part, signal),
    },
  ]
}

const JSON_TYPE = 'application/json'

/** Makes the resources of a door readable. @param onFault is told of errors that have no code */
export function registerResources(server: McpServer, door: ReadableDoor, onFault: (error: unknown) => void): void {
  for (const resource of resourcesOf(door)) {
    const { name, uri, title, description, mimeType } = resource
    const facts = { title, description, ...(mimeType !== undefined && { mimeType }) }
    const read = async (address: URL, part: string, signal: AbortSignal) => ({
      contents: [contentOf(address, await contentFrom(resource, address, part, signal, onFault), mimeType)],
    })
    if (!uri.includes('{')) server.registerResource(name, uri, facts, (address, { mcpReq }) => read(address, '', mcpReq.signal))
    else
      server.registerResource(name, new ResourceTemplate(uri, { list: undefined }), facts, (address, { part }, { mcpReq }) =>
        read(address, String(part), mcpReq.signal),
      )
  }
}

function contentOf(uri: URL, content: Content, mimeType = 'application/octet-stream') {
  const { href } = uri
  if (typeof content === 'string') return { uri: href, mimeType, text: content }
  if (!Buffer.isBuffer(content)) return { uri: href, mimeType, text: JSON.stringify(content) }
  return { uri: href, mimeType: recognise(content)?.mime ?? mimeType, blob: content.toString('base64') }
}

/** A resource has no results with `isError`: what is wrong is an error of the protocol, with the message of ours. */
async function contentFrom(
  resource: Resource,
  uri: URL,
  part: string,
  signal: AbortSignal,
  onFault: (error: unknown) => void,
): Promise<Content> {
  try {
    return await resource.read(uri, part, signal)
  } catch (error) {
    if (!(error instanceof CodedError)) {
      onFault(error)
      throw new ProtocolError(ProtocolErrorCode.InternalError, 'Something went wrong on our side.')
    }
    if (error.code.endsWith('_not_found')) throw new ResourceNotFoundError(uri.href, error.message)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message, { error: error.code })
  }
}
