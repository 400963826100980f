import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import type { Effort } from '@pixelmill/codecs/codec'
import type { Bare } from '../bare/start-bare.ts'
import type { LoadPlan, LoadResult, PlannedRequest } from '../load/load-plan.ts'
import { sumOf, treeCpu } from '../measure/tree-usage.ts'
import { startWorkerProcess, type WorkerProcess } from '../measure/worker-process.ts'
import type { Server } from '../server/boot-server.ts'
import type { Cell } from './cells.ts'
import type { ContestantName } from './index.ts'
import type { Source } from './sources.ts'
import type { Running } from './start-peer.ts'

export interface Block {
  readonly cpuMs: number
  readonly wallMs: number
  readonly bytes: number
}

/** A server, or the bare loop, that makes the pictures of one cell. A quality is on its own scale; without one it has its default. */
export interface Contestant {
  readonly name: ContestantName
  /** There is nothing to compare without it: its failure ends the measurement. */
  readonly required: boolean
  /** Blocks before the first that counts, after one pass over the pictures: for V8, which compiles during hundreds of images. */
  readonly warmUps: number
  run(images: number, quality?: number): Promise<Block>
  /** Its answers for the first pictures. */
  answers(count: number, quality?: number): Promise<readonly Uint8Array[]>
  stop(): Promise<void>
}

const concurrency = 8

/** Its own process of the load generator, kept from block to block: starting one takes as long as a short block. */
function openLoad(name: string, target: Pick<LoadPlan, 'port' | 'key'>) {
  let generator: Promise<WorkerProcess> | undefined
  return {
    async run(images: number, requests: readonly PlannedRequest[]) {
      generator ??= startWorkerProcess(new URL('../load/load-process.ts', import.meta.url))
      const plan: LoadPlan = { ...target, requests, concurrency, until: { images }, retry: 'wait' }
      const result = await (await generator).ask<LoadResult>(plan)
      if (result.succeeded < images) throw new Error(`${name}: ${JSON.stringify(result.statuses)} instead of ${images} images`)
      return { wallMs: result.wallMs, bytes: result.outputBytes }
    },
    stop: async () => (await generator)?.stop(),
  }
}

async function bodyOf(name: string, answer: Response): Promise<Uint8Array> {
  if (!answer.ok) throw new Error(`${name}: ${answer.status} ${(await answer.text()).slice(0, 200)}`)
  return answer.bytes()
}

/** Uploads to the service, with an account and its calls counted. It runs on for the next cell. */
export function pixelmill(
  server: Server,
  { rendering: { format, width } }: Cell,
  { files }: Source,
  effort?: Effort,
): Contestant {
  const path = '/api/v1/convert'
  const fieldsOf = (quality: number | undefined) => ({
    format,
    ...(width && { width: String(width) }),
    ...(quality && { quality: String(quality) }),
    ...(effort && { effort }),
  })
  const load = openLoad('Pixelmill', { port: server.port, key: server.key })
  const answer = async (file: string, quality: number | undefined) => {
    const body = new FormData()
    body.append('image', new Blob([readFileSync(file)]), basename(file))
    for (const [name, value] of Object.entries(fieldsOf(quality))) body.append(name, value)
    const headers = { authorization: `Bearer ${server.key}` }
    return bodyOf('Pixelmill', await fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers, body }))
  }
  return {
    name: 'Pixelmill',
    required: true,
    warmUps: 3,
    async run(images, quality) {
      const requests = files.map((image) => ({ path, files: { image }, fields: fieldsOf(quality) }))
      const { result, cpu } = await server.cpuDuring(() => load.run(images, requests))
      return { ...result, cpuMs: sumOf(cpu) }
    },
    answers: (count, quality) => Promise.all(files.slice(0, count).map((file) => answer(file, quality))),
    stop: load.stop,
  }
}

/** The encoders and nothing else: sharp in a loop, with the service's settings and scale. It runs on for the next cell. */
export function bareSharp(bare: Bare, { rendering }: Cell, { files }: Source): Contestant {
  return {
    name: 'bare sharp',
    required: true,
    warmUps: 1,
    async run(images, quality) {
      const { cpuMs, wallMs, outputBytes } = await bare.render({ files, rendering, images, choice: { quality } })
      return { cpuMs, wallMs, bytes: outputBytes }
    },
    async answers(count, quality) {
      const some = files.slice(0, count)
      const job = { files: some, rendering, images: some.length, choice: { quality }, keep: true }
      return (await bare.render(job)).kept ?? []
    },
    stop: async () => {},
  }
}

/** A server that reads its pictures from the folder. */
export function peer(
  name: ContestantName,
  server: Running,
  request: (file: string, quality: number | undefined) => PlannedRequest,
  source: Source,
): Contestant {
  const requestsOf = (quality: number | undefined) =>
    source.names.map((file) => ({ path: encodeURI(request(file, quality).path) }))
  const load = openLoad(name, { port: server.port })
  return {
    name,
    required: false,
    warmUps: name === 'ipx' ? 1 : 0,
    async run(images, quality) {
      const requests = requestsOf(quality)
      const before = sumOf(treeCpu(server.pid))
      const result = await load.run(images, requests)
      return { ...result, cpuMs: sumOf(treeCpu(server.pid)) - before }
    },
    answers: (count, quality) =>
      Promise.all(
        requestsOf(quality)
          .slice(0, count)
          .map(async ({ path }) => bodyOf(name, await fetch(`http://127.0.0.1:${server.port}${path}`))),
      ),
    async stop() {
      await load.stop()
      await server.stop()
    },
  }
}
