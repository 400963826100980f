import { join } from 'node:path'
import type { Photographs } from '@pixelmill/codecs/test/photographs/photographs'
import { writeHeics } from '@pixelmill/codecs/test/photographs/write-heics'
import type { Bench, Measurement } from '../bench.ts'
import type { LoadResult, PlannedRequest } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { quietRounds, type Watched } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { type PerRole, sumOf } from '../measure/tree-usage.ts'
import { kilobytes, ms, percent, perSecond } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer, type Server } from '../server/boot-server.ts'
import { type MeasuredOperation, measuredOperations, type Sources } from './index.ts'

const concurrency = 8
const pictures = 3

interface Round {
  readonly load: LoadResult
  readonly cpu: PerRole
}

interface Measured {
  readonly operation: MeasuredOperation
  readonly rounds: readonly Watched<Round>[]
  /** One after the other, on an otherwise idle server. */
  readonly alone: LoadResult
}

async function convertAll(server: Server, requests: readonly PlannedRequest[], lanes: number, images: number) {
  const { port, key } = server
  const load = await runLoad({ port, key, requests, concurrency: lanes, until: { images }, retry: 'wait' })
  if (load.succeeded < images)
    throw new Error(`${requests[0]?.path}: ${JSON.stringify(load.statuses)} instead of ${images} images`)
  return load
}

async function measureOne(operation: MeasuredOperation, sources: Sources, server: Server, quick: boolean): Promise<Measured> {
  progress(operation.title)
  const requests = operation.requests(sources)
  await convertAll(server, requests, concurrency, requests.length)
  const rounds = await quietRounds(quick ? 1 : 3, async () => {
    const { result, cpu } = await server.cpuDuring(() => convertAll(server, requests, concurrency, operation.block))
    return { load: result, cpu }
  })
  return { operation, rounds, alone: await convertAll(server, requests, 1, requests.length * (quick ? 1 : 3)) }
}

const operationTable = (all: readonly Measured[]): Table => ({
  title: 'Other operations, at concurrency 8',
  columns: ['operation', 'ms CPU', 'of which renderers', 'images/s', 'alone: median ms', 'kB of an answer', 'foreign CPU'],
  rows: all.map(({ operation: { title, block }, rounds, alone }) => {
    const middle = (value: (round: Round) => number) => median(rounds.map(({ result }) => value(result)))
    return [
      title,
      ms(middle(({ cpu }) => sumOf(cpu) / block)),
      ms(middle(({ cpu }) => cpu.renderers / block)),
      perSecond(middle(({ load }) => load.imagesPerSecond)),
      alone.latency.medianMs.toFixed(0),
      kilobytes(middle(({ load }) => load.outputBytes / load.succeeded)),
      percent(Math.max(...rounds.map(({ foreignShare }) => foreignShare))),
    ]
  }),
  notes: [
    'CPU of all processes for each image, medians of rounds. HEIC is read by libheif in WebAssembly, and written by heif-enc where that is on the PATH, whose CPU counts with the renderers, else by elheif in the renderer.',
  ],
})

async function sourcesOf({ files: { medium, small }, folders }: Photographs): Promise<Sources> {
  const some = medium.slice(0, pictures)
  return { medium: some, heic: await writeHeics(some, join(folders.small, 'heic')), icon: small[0] ?? '' }
}

/** The cost of operations without an equivalent among the references. */
export const measureOperations: Measurement = {
  names: measuredOperations.map(({ name }) => name),
  async measure({ photographs, quick }: Bench, cellNames) {
    const sources = await sourcesOf(photographs)
    const server = await bootServer()
    const all: Measured[] = []
    try {
      for (const operation of measuredOperations)
        if (cellNames.includes(operation.name)) all.push(await measureOne(operation, sources, server, quick))
    } finally {
      await server.stop()
    }
    return [operationTable(all)]
  },
}
