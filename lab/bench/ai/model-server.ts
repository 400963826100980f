import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sleep } from '../measure/sleep.ts'

/** A stand-in for a model server that gives every question the same answer after a delay. */
export interface ModelServer {
  readonly baseUrl: string
  close(): void
}

const answerText = JSON.stringify({ subject: 'red bicycle at a wall', alternatives: ['bicycle', 'old bicycle'], confidence: 0.9 })
const completion = JSON.stringify({
  model: 'bench',
  choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', content: answerText } }],
  usage: { prompt_tokens: 900, completion_tokens: 40, total_tokens: 940 },
})

async function answer(response: ServerResponse, afterMs: number): Promise<void> {
  await sleep(afterMs)
  response.writeHead(200, { 'content-type': 'application/json' }).end(completion)
}

/** @param afterMs delay between the end of a question and its answer */
export async function startModelServer(afterMs: number): Promise<ModelServer> {
  const server = createServer((request, response) => {
    request.resume().once('end', () => void answer(response, afterMs))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { baseUrl: `http://127.0.0.1:${port}/v1`, close: () => void server.close() }
}
