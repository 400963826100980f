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
import { bootServer } from './bench/server/boot-server.ts'

/**
 * `node lab/measure-refinement.ts [--seconds 600] [--rate 40] FOLDER`: visitors of a site with the JPEGs of a folder, whose popularity
 * follows Zipf's law, with DELIVERY_REFINE on and off: bytes sent, CPU and latency. Compressed time: a week's answers in minutes, so
 * that popular images wait longer for their turn than in a week. The table of docs/design/delivery.md is from it.
 */

/** Of requests that name them, as a shop in 2026 has them. */
const BROWSERS = [
  { share: 0.9, accept: 'image/avif,image/webp,*/*' },
  { share: 0.1, accept: 'image/webp,*/*' },
] as const
const ZIPF = 1
const WIDTH = 512

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
  options: { seconds: { type: 'string', default: '600' }, rate: { type: 'string', default: '40' } },
})
const folder = resolve(positionals[0] ?? '.')
const pictures = readdirSync(folder).filter((name) => name.endsWith('.jpg'))
if (pictures.length === 0) throw new Error(`${folder} has no .jpg`)
const visits = visitsOf(pictures.length, Number(values.seconds) * Number(values.rate))
const rows: string[][] = []
for (const refine of ['off', 'on']) rows.push(await week(refine))
const columns = ['DELIVERY_REFINE', 'MB sent', 'kB last tenth', 'CPU s', 'hit p50, p99 ms', 'miss p50, p99 ms', 'refined']
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

async function week(refine: string): Promise<string[]> {
  const server = await bootServer({ DELIVERY_FOLDERS: folder, DELIVERY_REFINE: refine })
  const agent = new Agent({ keepAlive: true })
  try {
    const { sign } = await saveSource(server, folder)
    const paths = pictures.map((name) => sign(`${name}?w=${WIDTH}`))
    const { result: answers, cpu } = await server.cpuDuring(() => visit(server.port, agent, paths))
    const text = await (
      await fetch(`http://127.0.0.1:${server.port}/metrics`, { headers: { authorization: `Bearer ${server.key}` } })
    ).text()
    const refinedCount = /^pixelmill_delivery_refined_total (\d+)$/m.exec(text)?.[1] ?? ''
    const bytes = (some: readonly Answer[]) => some.reduce((sum, answer) => sum + answer.bytes, 0)
    const last = answers.slice(-Math.ceil(answers.length / 10))
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
      refinedCount,
    ]
  } finally {
    agent.destroy()
    await server.stop()
  }
}

/** At an even rate, whether earlier answers have come or not. */
async function visit(port: number, agent: Agent, paths: readonly string[]): Promise<readonly Answer[]> {
  const began = performance.now()
  const answers: Promise<Answer>[] = []
  for (const [index, { picture, accept }] of visits.entries()) {
    const wait = began + (index * 1000) / Number(values.rate) - performance.now()
    if (wait > 0) await sleep(wait)
    answers.push(get(port, agent, paths[picture] ?? '', accept))
  }
  return await Promise.all(answers)
}

function get(port: number, agent: Agent, path: string, accept: string): Promise<Answer> {
  const { promise, resolve: answered, reject } = Promise.withResolvers<Answer>()
  const began = performance.now()
  const sentRequest = request({ host: '127.0.0.1', port, agent, path, headers: { accept } }, (response) => {
    let bytes = 0
    response.on('data', (chunk: Buffer) => (bytes += chunk.length))
    response.once('error', reject)
    response.once('end', () => {
      if (response.statusCode !== 200) reject(new Error(`${path}: ${response.statusCode}`))
      else answered({ bytes, ms: performance.now() - began, isMiss: response.headers['x-cache'] === 'miss' })
    })
  })
  sentRequest.once('error', reject)
  sentRequest.end()
  return promise
}
