import { mkdtempSync, rmSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Bench, Measurement } from '../bench.ts'
import type { LoadResult } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { quietRounds } from '../measure/foreign-share.ts'
import { peakDuring } from '../measure/peak.ts'
import { sleep } from '../measure/sleep.ts'
import type { PerRole } from '../measure/tree-usage.ts'
import { progress } from '../report/progress.ts'
import { bootServer, type Server } from '../server/boot-server.ts'
import { writeLargeArchive, writePhotographs } from './archives.ts'
import { bareLoops } from './bare-loops.ts'
import { batchTables, type Throughput } from './batch-tables.ts'
import { followBatch, sendBatch } from './run-batch.ts'

const renderers = availableParallelism()
const largeBytes = 511 * 2 ** 20

/** One batch and the bare loops over the same files, in a rotating order. */
async function compareOnce(server: Server, archive: string, files: readonly string[], images: number, round: number) {
  const batch = async () => {
    const id = await sendBatch(server, archive)
    return server.cpuDuring(() => followBatch(server, id))
  }
  const bareFirst = round % 2 ? await bareLoops(renderers, files, images) : undefined
  const { result, cpu } = await batch()
  if (result.succeeded < images) throw new Error(`${result.succeeded} of ${images} images came out`)
  const bare = bareFirst ?? (await bareLoops(renderers, files, images))
  return { images, bare, wallMs: result.wallMs, cpu } satisfies Throughput
}

/** A client that sends photographs one after the other. */
const oneByOne = ({ port, key }: Server, file: string, images: number): Promise<LoadResult> =>
  runLoad({
    port,
    key,
    concurrency: 1,
    until: { images },
    retry: 'wait' as const,
    requests: [{ path: '/api/v1/convert', files: { image: file }, fields: { format: 'webp' } }],
  })

interface Beside {
  readonly idle: LoadResult
  readonly busy: LoadResult
  readonly memory: PerRole
}

async function measureBeside(server: Server, archive: string, file: string, requests: number): Promise<Beside> {
  await oneByOne(server, file, 10)
  const idle = await oneByOne(server, file, requests)
  const id = await sendBatch(server, archive)
  // Their renderers have started by then.
  await sleep(3_000)
  const { result, used } = await peakDuring(server.memory, async () => {
    const busy = await oneByOne(server, file, requests)
    const { wallMs } = await followBatch(server, id)
    return { busy, wallMs }
  })
  return { idle, busy: result.busy, memory: used }
}

async function measureUpload(server: Server, archive: string) {
  const before = server.memory()
  const { result: id, used } = await peakDuring(server.memory, () => sendBatch(server, archive), 100)
  await followBatch(server, id)
  return { before, used }
}

async function measureIn(folder: string, { photographs, quick }: Bench) {
  const files = photographs.files.medium
  const images = quick ? 60 : 500
  const archive = await writePhotographs(join(folder, 'photographs.zip'), files, images)
  const large = await writeLargeArchive(join(folder, 'large.zip'), files[0] ?? '', largeBytes)
  const server = await bootServer()
  try {
    progress('batch: an archive of 512 MB')
    const upload = await measureUpload(server, large)
    progress(`batch: ${images} photographs, beside the bare loops`)
    const rounds = await quietRounds(quick ? 1 : 3, (round) => compareOnce(server, archive, files, images, round))
    progress('batch: single requests during a batch')
    const beside = await measureBeside(server, archive, files[0] ?? '', quick ? 10 : 60)
    return batchTables({ images, upload, beside, rounds: rounds.map(({ result }) => result) })
  } finally {
    await server.stop()
  }
}

/** Measures batches: throughput, memory, and the delay of interactive requests. */
export const measureBatch: Measurement = {
  names: ['batch'],
  async measure(bench) {
    const folder = mkdtempSync(join(tmpdir(), 'pixelmill-bench-batch-'))
    try {
      return await measureIn(folder, bench)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
