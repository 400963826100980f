import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Measurement } from '../bench.ts'
import type { LoadPlan } from '../load/load-plan.ts'
import { contentType, multipartBody } from '../load/multipart-body.ts'
import { sendRequest } from '../load/send-request.ts'
import { quantile } from '../measure/median.ts'
import { sleep } from '../measure/sleep.ts'
import { startWorkerProcess } from '../measure/worker-process.ts'
import { ms } from '../report/numbers.ts'
import { progress } from '../report/progress.ts'
import type { Table } from '../report/table.ts'
import { bootServer, type Server } from '../server/boot-server.ts'
import { type Attack, planFairness, type SmallWork } from './attacks.ts'
import { makeSecondAccount } from './second-account.ts'

/** The bar for the 95th percentile: this multiple of the latency without load, plus this many milliseconds. */
const BAR_TIMES = 2
const BAR_MORE_MS = 250
/** Pause between two small images, like people and programs that send one now and then. */
const PAUSE_MS = 50
/** The attack has filled all queues by then. */
const SETTLING_MS = 2_000
/** After the end of an attack its images are aborted. */
const CALM_MS = 3_000
const WARM_UP = 10
const RENDERERS = [2, 1]

interface Times {
  readonly p50: number
  readonly p95: number
  /** Statuses other than 200. */
  readonly others: readonly number[]
}

/** Alternates the two kinds of small images, so that drifts of the machine affect both. */
async function timeSmall(port: number, key: string, works: readonly SmallWork[], times: number): Promise<readonly Times[]> {
  const agent = new Agent({ keepAlive: true })
  const requests = works.map(({ request }) => {
    const body = multipartBody(request)
    const headers = { authorization: `Bearer ${key}`, 'content-type': contentType, 'content-length': String(body?.length) }
    return { port, path: request.path, headers, body }
  })
  const answers = requests.map(() => [] as Awaited<ReturnType<typeof sendRequest>>[])
  for (let round = 0; round < times; round++) {
    for (const [at, one] of requests.entries()) {
      answers[at]?.push(await sendRequest(agent, one))
      await sleep(PAUSE_MS)
    }
  }
  agent.destroy()
  return answers.map((all) => {
    const took = all.map((answer) => answer.ms)
    const others = all.map(({ status }) => status).filter((status) => status !== 200)
    return { p50: quantile(took, 0.5), p95: quantile(took, 0.95), others }
  })
}

/** The small images alone, and during the attack; both on the same server, one right after the other. */
async function timeUnder(attack: Attack, { port, key }: Server, own: string, works: readonly SmallWork[], times: number) {
  const alone = await timeSmall(port, own, works, times)
  const load = await startWorkerProcess(new URL('../load/load-process.ts', import.meta.url))
  try {
    // The attack goes on until it is stopped.
    const until = { seconds: 3_600 }
    const plan: LoadPlan = {
      port,
      key,
      requests: [attack.request],
      concurrency: attack.atOnce,
      until,
      retry: attack.waits ? 'wait' : 'at once',
    }
    load.ask(plan).catch(() => undefined)
    await sleep(SETTLING_MS)
    return { alone, attacked: await timeSmall(port, own, works, times) }
  } finally {
    await load.stop()
    await sleep(CALM_MS)
  }
}

function rowsOf(attack: Attack, works: readonly SmallWork[], { alone, attacked }: Awaited<ReturnType<typeof timeUnder>>) {
  return works.map(({ name }, at) => {
    const before = alone[at]
    const during = attacked[at]
    if (!before || !during) throw new Error('a small image was not timed')
    const bar = BAR_TIMES * before.p95 + BAR_MORE_MS
    const isWithinBar = during.p95 <= bar && during.others.length === 0
    const median = [before, during].map(({ p50 }) => ms(p50))
    const late = [before, during].map(({ p95 }) => ms(p95))
    return [attack.name, name, ...median, ...late, ms(bar), isWithinBar ? 'met' : 'MISSED', during.others.join(' ') || '-']
  })
}

/** Attacks with the same settings share a server. */
async function measureOn(
  renderers: number,
  attacks: readonly Attack[],
  works: readonly SmallWork[],
  times: number,
): Promise<Table> {
  const rows: string[][] = []
  for (const [timeout, same = []] of Object.entries(
    Object.groupBy(attacks, ({ timeoutSeconds }) => String(timeoutSeconds ?? 60)),
  )) {
    const server = await bootServer({ RENDERERS: String(renderers), RENDER_TIMEOUT_S: timeout })
    try {
      const key = await makeSecondAccount(server.port)
      await timeSmall(server.port, key, works, WARM_UP)
      for (const attack of same) {
        progress(`fairness: ${renderers} renderers: ${attack.name}`)
        rows.push(...rowsOf(attack, works, await timeUnder(attack, server, key, works, times)))
      }
    } finally {
      await server.stop()
    }
  }
  return {
    title: `Fairness: small images of one account while another sends what it likes, ${renderers === 1 ? 'one renderer' : `${renderers} renderers`}`,
    columns: ['what the other sends', 'small image', 'p50 alone', 'p50', 'p95 alone', 'p95', 'bar', 'held', 'not 200'],
    rows,
    notes: [
      `Milliseconds, ${times} of each. Bar: the 95th percentile is at most ${BAR_TIMES} × that alone + ${BAR_MORE_MS} ms, and every answer is an image.`,
      'The load generator shares the processors. What it sends is sent again as soon as it has been answered, 503 or not, unless the row says otherwise.',
    ],
  }
}

/** The latency of another account's small image during each attack by one account. */
export const measureFairness: Measurement = {
  names: ['fairness'],
  async measure({ photographs, quick }) {
    const folder = mkdtempSync(join(tmpdir(), 'pixelmill-bench-fairness-'))
    try {
      const { attacks, smallWork } = await planFairness(photographs, folder)
      const tables: Table[] = []
      for (const renderers of RENDERERS) tables.push(await measureOn(renderers, attacks, smallWork, quick ? 20 : 40))
      return tables
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  },
}
