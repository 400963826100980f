import { Agent } from 'node:http'
import { sleep } from '../measure/sleep.ts'
import type { LoadPlan, LoadResult, RetryHabit } from './load-plan.ts'
import { contentType, multipartBody } from './multipart-body.ts'
import { type PreparedRequest, sendRequest } from './send-request.ts'
import { openTally } from './tally.ts'

type Tally = ReturnType<typeof openTally>

const mostTries = 20_000

const prepare = ({ port, key, requests }: LoadPlan): PreparedRequest[] =>
  requests.map((one) => {
    const body = multipartBody(one)
    const upload = body ? { 'content-type': contentType, 'content-length': String(body.length) } : {}
    return { port, path: one.path, body, headers: { ...upload, ...(key ? { authorization: `Bearer ${key}` } : {}) } }
  })

const pause = (retry: RetryHabit, seconds: number) =>
  retry === 'wait' ? sleep(1000 * Math.min(seconds, 1) + 250 * Math.random()) : undefined

/** Repeats until there is an image, a refusal other than "busy", or no time left. */
async function convertOne(agent: Agent, request: PreparedRequest, retry: RetryHabit, giveUpMs: number, tally: Tally) {
  const firstTry = performance.now()
  for (let tries = 0; tries < mostTries && performance.now() < giveUpMs; tries++) {
    const answer = await sendRequest(agent, request)
    tally.answered(answer)
    if (answer.status === 200) return tally.succeeded(answer.bytes, performance.now() - firstTry)
    if (answer.status !== 503) return tally.failed()
    await pause(retry, answer.retryAfterSeconds)
  }
}

/** The given number of lanes, each with one request in flight at any time. */
export async function closedLoop(plan: LoadPlan): Promise<LoadResult> {
  const request = prepare(plan)
  const agent = new Agent({ keepAlive: true, maxSockets: plan.concurrency })
  const startMs = performance.now()
  const isTimed = 'seconds' in plan.until
  const endMs = 'seconds' in plan.until ? startMs + 1000 * (1 + plan.until.seconds) : Infinity
  const images = 'images' in plan.until ? plan.until.images : 1_000_000
  const tally = openTally(isTimed ? startMs + 1000 : startMs, endMs)
  const giveUpMs = isTimed ? endMs : startMs + 300_000
  let next = 0
  const lane = async () => {
    while (next < images && performance.now() < giveUpMs) {
      const one = request[next++ % request.length]
      if (one) await convertOne(agent, one, plan.retry, giveUpMs, tally)
    }
  }
  const before = process.cpuUsage()
  await Promise.all(Array.from({ length: plan.concurrency }, lane))
  const { user, system } = process.cpuUsage(before)
  agent.destroy()
  return tally.close((user + system) / 1000)
}
