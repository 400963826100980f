import { readdirSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import { parseArgs } from 'node:util'
import { saveSource } from './bench/delivery/bench-source.ts'
import { median, quantile } from './bench/measure/median.ts'
import { sleep } from './bench/measure/sleep.ts'
import { sumOf } from './bench/measure/tree-usage.ts'
import { ms } from './bench/report/numbers.ts'
import { plainText } from './bench/report/table.ts'
import { bootServer, type Server } from './bench/server/boot-server.ts'

/**
 * `node lab/measure-refinement.ts [--visits 21000] [--rate 100] FOLDER`: a week of visitors to a site with the JPEGs of a folder, whose
 * popularity follows Zipf's law, with DELIVERY_REFINE off and on: bytes sent, CPU and latency. Time is compressed: each of seven nights
 * ends when nothing was refined for a while. The table of docs/design/delivery.md is from it.
 */

/** Of requests that name them, as a shop in 2026 has them. */
const BROWSERS = [
  { share: 0.9, accept: 'image/avif,image/webp,*/*' },
  { share: 0.1, accept: 'image/webp,*/*' },
] as const
const ZIPF = 1
const WIDTH = 512
const DAYS = 7
const NIGHT_MS = 15_000
const LONGEST_NIGHT_MS = 900_000

interface Visit {
  readonly picture: number
  readonly accept: string
}

interface Answer {
  readonly bytes: number
  readonly ms: number
  readonly isMiss: boolean
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { visits: { type: 'string', default: '21000' }, rate: { type: 'string', default: '100' } },
})
const folder = resolve(positionals[0] ?? '.')
const pictures = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
if (pictures.length === 0) throw new Error(`${folder} has no .jpg`)
const visits = visitsOf(pictures.length, Number(values.visits))
const rows: string[][] = []
for (const refine of ['off', 'on']) rows.push(await week(refine))
const columns = ['DELIVERY_REFINE', 'MB sent', 'kB, last day', 'CPU s', 'hit p50, p99 ms', 'miss p50, p99 ms', 'refined']
process.stdout.write(plainText({ title: `${pictures.length} pictures, ${visits.length} visits`, columns, rows, notes: [] }))

/** The same visits in every run: a linear congruential generator draws them. */
function visitsOf(count: number, all: number): readonly Visit[] {
  let state = 1
  const draw = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  const sums: number[] = []
  for (let rank = 1; rank <= count; rank++) sums.push((sums.at(-1) ?? 0) + 1 / rank ** ZIPF)
  const total = sums.at(-1) ?? 0
  const pick = () => {
    const drawnSum = draw() * total
    return sums.findIndex((sum) => drawnSum <= sum)
  }
  return Array.from({ length: all }, () => ({
    picture: pick(),
    accept: draw() < BROWSERS[0].share ? BROWSERS[0].accept : BROWSERS[1].accept,
  }))
}

/** Its visitors come through a proxy, whose idle connections stay open. */
async function week(refine: string): Promise<string[]> {
  const server = await bootServer({ DELIVERY_FOLDERS: folder, DELIVERY_REFINE: refine, TRUSTED_PROXIES: 'loopback' })
  try {
    const { sign } = await saveSource(server, folder)
    const paths = pictures.map((name) => sign(`${name}?w=${WIDTH}`))
    const { result: answers, cpu } = await server.cpuDuring(() => allDays(server, paths))
    const bytes = (some: readonly Answer[]) => some.reduce((sum, answer) => sum + answer.bytes, 0)
    const last = answers.slice(-Math.ceil(answers.length / DAYS))
    const times = (isMiss: boolean) => {
      const some = answers.filter((answer) => answer.isMiss === isMiss).map((answer) => answer.ms)
      return `${ms(median(some))}, ${ms(quantile(some, 0.99))}`
    }
    const kilobytesLast = (bytes(last) / last.length / 1000).toFixed(2)
    return [
      refine,
      (bytes(answers) / 1e6).toFixed(1),
      kilobytesLast,
      (sumOf(cpu) / 1000).toFixed(1),
      times(false),
      times(true),
      String(await refinedCount(server)),
    ]
  } finally {
    await server.stop()
  }
}

async function allDays(server: Server, paths: readonly string[]): Promise<readonly Answer[]> {
  const ofDay = Math.ceil(visits.length / DAYS)
  const answers: Answer[] = []
  for (let day = 0; day < DAYS; day++) {
    // The server closes at night what stays open: each day has connections of its own.
    const agent = new Agent({ keepAlive: true })
    answers.push(...(await visit(visits.slice(day * ofDay, (day + 1) * ofDay), server.port, agent, paths)))
    agent.destroy()
    await night(server)
  }
  return answers
}

/** Until nothing was refined for a while. */
async function night(server: Server): Promise<void> {
  let count = -1
  for (let waitMs = 0; waitMs < LONGEST_NIGHT_MS; waitMs += NIGHT_MS) {
    const before = count
    count = await refinedCount(server)
    if (count === before) return
    await sleep(NIGHT_MS)
  }
}

async function refinedCount({ port, key }: Server): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { authorization: `Bearer ${key}` } })
  return Number(/^pixelmill_delivery_refined_total (\d+)$/m.exec(await answer.text())?.[1])
}

/** At an even rate, whether earlier answers have come or not. */
async function visit(
  visitors: readonly Visit[],
  port: number,
  agent: Agent,
  paths: readonly string[],
): Promise<readonly Answer[]> {
  const began = performance.now()
  const answers: Promise<Answer>[] = []
  for (const [index, { picture, accept }] of visitors.entries()) {
    const wait = began + (index * 1000) / Number(values.rate) - performance.now()
    if (wait > 0) await sleep(wait)
    answers.push(get(port, agent, paths[picture] ?? '', accept))
  }
  return await Promise.all(answers)
}

function get(port: number, agent: Agent, path: string, accept: string): Promise<Answer> {
  const { promise, resolve: settle, reject } = Promise.withResolvers<Answer>()
  const began = performance.now()
  const sentRequest = request({ host: '127.0.0.1', port, agent, path, headers: { accept } }, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.once('error', reject)
    response.once('end', () => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      else settle({ bytes, ms: performance.now() - began, isMiss: response.headers['x-cache'] === 'miss' })
    })
  })
  sentRequest.once('error', (error: NodeJS.ErrnoException) => {
    // The server had just closed the idle connection: as Node's documentation says, the request is sent again.
    if (sentRequest.reusedSocket && error.code === 'ECONNRESET') settle(get(port, agent, path, accept))
    else reject(error)
  })
  sentRequest.end()
  return promise
}
