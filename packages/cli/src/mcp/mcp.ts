import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { mcpServer } from '../agent-tools/server.ts'
import { openLocalMill } from '../engine/local.ts'
import { readEnvironment } from '../environment.ts'
import { EXIT, untilInterrupted } from '../exit.ts'
import { localBatches } from './local-batches.ts'
import { localDoor } from './local-door.ts'
import { localFiles } from './local-files.ts'

interface McpOptions {
  readonly root: string
}

/**
 * `pixelmill mcp`: the tools of an agent over standard input and output, with the files below one folder.
 * @returns the exit code, when the agent closes the input
 * @throws StartError, InvalidArgumentError
 */
export async function mcp({ root }: McpOptions): Promise<number> {
  const environment = readEnvironment()
  const note = (text: string) => void process.stderr.write(`${text}\n`)
  const files = localFiles(root)
  using interrupt = untilInterrupted()
  await using resources = new AsyncDisposableStack()
  const mill = resources.use(await openLocalMill(environment.rendering, environment.rendering.RENDERERS, note))
  const batches = resources.use(localBatches(mill, environment))
  const door = localDoor({ files, mill, batches })
  const handle = serveStdio(() => mcpServer(door, (error) => note(String(error))))
  resources.defer(() => handle.close())
  await untilClosed(interrupt.signal)
  return interrupt.signal.aborted ? EXIT.interrupted : EXIT.done
}

/** Resolves when the agent closes the input, or the process is to end. */
function untilClosed(signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  for (const event of ['end', 'close', 'error']) process.stdin.once(event, () => resolve())
  signal.addEventListener('abort', () => resolve(), { once: true })
  return promise
}
