/** The measured cost of each part, in seconds of one processor unless stated otherwise. The simulation uses no other numbers. */
export interface Cost {
  readonly seconds: number
  /** Which benchmark, and when. */
  readonly source: string
}

/** A kind of request: its cost, and its share of the mix. */
export interface Kind {
  readonly name: string
  /** Share of all requests; the sum is 1. */
  readonly share: number
  /** In a renderer. */
  readonly render: Cost
  /** In the API process. */
  readonly api: Cost
  /** Size of the picture: above 20 it waits for memory (packages/engine/src/rendering/queue.ts). */
  readonly megapixels: number
}

const cells = 'npm run bench -- jpeg webp avif webp-12mp full-12mp, 21 November 2026, less API and PostgreSQL'
const heap = 'npm run bench, interleaved runs with the larger first heap, 21 November 2026'
const TWICE_FULL_SIZE = 'twice the full-size cell of 12 megapixels, as it goes by pixels'

/** Server ms from docs/performance.md, split by process. */
export const kinds = {
  jpeg: cost('2 MP → 512 px JPEG', 0.45, [0.0183, cells], [0.00257, heap], 2),
  webp: cost('2 MP → 512 px WebP', 0.3, [0.0293, cells], [0.00245, heap], 2),
  medium: cost('12 MP → 1200 px WebP', 0.15, [0.109, cells], [0.0064, heap], 12),
  avif: cost('2 MP → 512 px AVIF', 0.05, [0.138, cells], [0.0025, heap], 2),
  full: cost('12 MP → full-size WebP', 0.04, [0.64, cells], [0.0125, heap], 12),
  heavy: cost('24 MP → full-size WebP', 0.01, [1.28, TWICE_FULL_SIZE], [0.025, TWICE_FULL_SIZE], 24),
} as const satisfies Record<string, Kind>

function cost(
  name: string,
  share: number,
  render: readonly [number, string],
  api: readonly [number, string],
  megapixels: number,
) {
  const of = ([seconds, source]: readonly [number, string]): Cost => ({ seconds, source })
  return { name, share, render: of(render), api: of(api), megapixels } satisfies Kind
}

const pgbench = 'lab/bench/simulation/database/measure.sh, PostgreSQL 15, 22 November 2026'

/** Cost of PostgreSQL for each call. */
export const database = {
  admit: { seconds: 0.00046, source: `${pgbench}, call.sql and admit.sql` },
  settle: { seconds: 0.00024, source: `${pgbench}, call.sql and admit.sql` },
  /** A hundred calls are written together under load; here 20. */
  usage: { seconds: 0.0001, source: `${pgbench}, usage.sql, for one of 20 calls` },
  preview: {
    seconds: 0.00019,
    source: 'npm run bench -- overload, 23 November 2026: PostgreSQL for each refusal; pgbench alone 0.08 ms',
  },
  /** A call in the service on one machine: its statements arrive one at a time, at idle processes. */
  aloneCall: { seconds: 0.0015, source: 'npm run bench -- jpeg, 21 November 2026: 1.3 to 1.8 ms of PostgreSQL an image' },
  /** Disk flush, shared by all waiting commits. */
  flush: { seconds: 0.00014, source: 'pg_test_fsync, fdatasync of 8 kB, 22 November 2026' },
} as const satisfies Record<string, Cost>

const GROUP_MEASUREMENT = 'lab/bench/simulation/database/measure.sh worker, PostgreSQL 15, 26 November 2026'

/** Costs of a batch's images: of each claim and each group of results, and of each image in them. */
export const batchCosts = {
  look: { seconds: 0.00004, source: `${pgbench}, idle-worker.sql` },
  claim: {
    seconds: 0.0007,
    source: `${GROUP_MEASUREMENT}: 4, 18 and 100 images; claim and finish together, in the ratio of 22 November`,
  },
  claimedImage: { seconds: 0.00004, source: `${GROUP_MEASUREMENT}, with 4, 18 and 100 images` },
  finish: { seconds: 0.0012, source: `${GROUP_MEASUREMENT}, with 4, 18 and 100 images` },
  finishedImage: { seconds: 0.00007, source: `${GROUP_MEASUREMENT}, with 4, 18 and 100 images` },
  /** Each further batch in a claim, or in a group of results. */
  touchedBatch: { seconds: 0.00035, source: `${GROUP_MEASUREMENT}, with 1 and 100 batches` },
  image: { seconds: 0.106, source: 'npm run bench -- batch, 21 November 2026: renderers' },
  imageApi: { seconds: 0.0059, source: 'npm run bench -- batch, 21 November 2026: API' },
} as const satisfies Record<string, Cost>

/** Assumed latency between machines of one network: none of our benchmarks can measure it. */
export const network = {
  roundTrip: { seconds: 0.0003, source: 'assumed: one data centre' },
  /** The time from request to first byte, of a get and a put. */
  store: { seconds: 0.02, source: 'assumed: an S3 server in the same data centre' },
} as const satisfies Record<string, Cost>

/** Cost of the load generator, if it runs on the measured processors. */
export const client = {
  image: { seconds: 0.0015, source: 'lab/bench/load, 22 November 2026: 1.1 to 1.4 ms for 142 kB up and a refusal down' },
  refusal: { seconds: 0.0003, source: 'npm run bench -- overload, 22 November 2026: 0.12 of a core for 570 a second' },
} as const satisfies Record<string, Cost>

/** Cost of a refusal with server_busy, in the API process. */
export const refusal: Cost = {
  seconds: 0.00071,
  source: 'npm run bench -- overload, 23 November 2026: CPU of the API for each refusal, since admission refuses',
}

/** Standard deviation divided by mean of the cost of pictures of one kind. */
export const variation = 0.3
