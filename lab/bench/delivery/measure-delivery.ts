import { basename, dirname } from 'node:path'
import type { Bench, Measurement } from '../bench.ts'
import type { LoadResult, PlannedRequest } from '../load/load-plan.ts'
import { runLoad } from '../load/run-load.ts'
import { quietRounds } from '../measure/foreign-share.ts'
import { median } from '../measure/median.ts'
import { sumOf, treeCpu } from '../measure/tree-usage.ts'
import { kilobytes, ms, percent, perSecond, ratio } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer } from '../server/boot-server.ts'
import { saveSource } from './bench-source.ts'
import { startCachingNginx } from './start-caching-nginx.ts'

const HITS_AT_ONCE = 64
const MISSES_AT_ONCE = 4
const SECONDS = { quick: 3, thorough: 8 } as const
const MISSES = { quick: 40, thorough: 80 } as const
const MISS_ROUNDS = { quick: 1, thorough: 9 } as const

interface Answered {
  readonly load: LoadResult
  /** The processor time of the server, for each answer. */
  readonly cpuMs: number
}

interface Row {
  readonly title: string
  readonly rounds: readonly Answered[]
  readonly foreign: number
}

/** The load on a port, with the CPU of a tree of processes. */
async function hits(title: string, quick: boolean, port: number, path: string, cpu: () => number): Promise<Row> {
  progress(title)
  const requests: readonly PlannedRequest[] = [{ path }]
  const run = (seconds: number) => runLoad({ port, requests, concurrency: HITS_AT_ONCE, until: { seconds }, retry: 'wait' })
  await run(2)
  const rounds = await quietRounds(quick ? 1 : 3, async () => {
    const before = cpu()
    const load = await run(quick ? SECONDS.quick : SECONDS.thorough)
    if (load.succeeded === 0 || load.failed > 0) throw new Error(`${title}: ${JSON.stringify(load.statuses)}`)
    return { load, cpuMs: (cpu() - before) / load.succeeded }
  })
  return {
    title,
    rounds: rounds.map(({ result }) => result),
    foreign: Math.max(...rounds.map(({ foreignShare }) => foreignShare)),
  }
}

async function measureHits(picture: string, quick: boolean): Promise<Table> {
  const folder = dirname(picture)
  const rest = `${basename(picture)}?w=640&f=webp`
  const rows: Row[] = []
  for (const [title, settings] of [
    ['Pixelmill, from memory', {}],
    ['Pixelmill, from the folder', { CACHE_MEMORY_MB: '0' }],
  ] as const) {
    const server = await bootServer({ DELIVERY_FOLDERS: folder, ...settings })
    try {
      const path = (await saveSource(server, folder)).sign(rest)
      rows.push(await hits(title, quick, server.port, path, () => sumOf(treeCpu(server.root, server.data))))
      const nginx = settings.CACHE_MEMORY_MB ? undefined : await startCachingNginx(server.port)
      if (!nginx) continue
      try {
        rows.push(await hits('nginx, proxy_cache in front', quick, nginx.port, path, () => sumOf(treeCpu(nginx.pid))))
      } finally {
        await nginx.stop()
      }
    } finally {
      await server.stop()
    }
  }
  return {
    title: 'Hits of an image by URL, at concurrency 64',
    columns: ['', 'ms CPU', 'answers of a CPU second', 'answers/s', 'median ms', 'p99 ms', 'kB', 'foreign CPU'],
    rows: rows.map(({ title, rounds, foreign }) => {
      const middle = (value: (round: Answered) => number) => median(rounds.map(value))
      return [
        title,
        middle(({ cpuMs }) => cpuMs).toFixed(3),
        (1000 / middle(({ cpuMs }) => cpuMs)).toFixed(0),
        perSecond(middle(({ load }) => load.imagesPerSecond)),
        ms(middle(({ load }) => load.latency.medianMs)),
        ms(middle(({ load }) => load.latency.p99Ms)),
        kilobytes(middle(({ load }) => load.outputBytes / load.succeeded)),
        percent(foreign),
      ]
    }),
    notes: [
      'CPU of all processes of the server, without the load generator, which has a process of its own on the same machine.',
    ],
  }
}

/** The same picture at as many widths as images: by URL, none of which was asked for before, and as uploads. */
async function measureMisses(picture: string, quick: boolean): Promise<Table> {
  const folder = dirname(picture)
  const server = await bootServer({ DELIVERY_FOLDERS: folder })
  const images = quick ? MISSES.quick : MISSES.thorough
  const rounds = quick ? MISS_ROUNDS.quick : MISS_ROUNDS.thorough
  let width = 300
  try {
    const { sign } = await saveSource(server, folder)
    const widths = () => Array.from({ length: images }, () => width++)
    const run = async (requests: readonly PlannedRequest[]) => {
      const plan = { port: server.port, key: server.key, requests, concurrency: MISSES_AT_ONCE } as const
      const { result, cpu } = await server.cpuDuring(() => runLoad({ ...plan, until: { images }, retry: 'wait' }))
      if (result.succeeded < images) throw new Error(`misses: ${JSON.stringify(result.statuses)}`)
      return sumOf(cpu) / images
    }
    const byUrl = (some: readonly number[]) => some.map((w) => ({ path: sign(`${basename(picture)}?w=${w}&f=webp`) }))
    const asUploads = (some: readonly number[]) =>
      some.map((w) => ({ path: '/api/v1/convert', files: { image: picture }, fields: { format: 'webp', width: String(w) } }))
    const first = widths()
    await run(asUploads(first))
    await run(byUrl(first))
    const pairs: { readonly upload: number; readonly url: number }[] = []
    for (let round = 0; round < rounds; round++) {
      progress(`misses, round ${round + 1}`)
      const some = widths()
      pairs.push({ upload: await run(asUploads(some)), url: await run(byUrl(some)) })
    }
    return {
      title: 'Misses of images by URL beside the same conversions by upload, at concurrency 4',
      columns: ['', 'ms CPU', 'ratio'],
      rows: [
        ['POST /api/v1/convert', ms(median(pairs.map(({ upload }) => upload))), '1'],
        [
          'GET /i/…, a miss',
          ms(median(pairs.map(({ url }) => url))),
          ratio(median(pairs.map(({ upload, url }) => url / upload))),
        ],
      ],
      notes: ['Medians of rounds that alternate; CPU of all processes of the server. Results are also written into the cache.'],
    }
  } finally {
    await server.stop()
  }
}

/** What images by URL cost. */
export const measureDelivery: Measurement = {
  names: ['delivery-hits', 'delivery-misses'],
  page: 'lab/results/delivery.md',
  async measure({ photographs, quick }: Bench, cellNames) {
    const [picture = ''] = photographs.files.medium
    return [
      ...(cellNames.includes('delivery-hits') ? [await measureHits(picture, quick)] : []),
      ...(cellNames.includes('delivery-misses') ? [await measureMisses(picture, quick)] : []),
    ]
  },
}
