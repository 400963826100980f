import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startModelServer } from '../ai/model-server.ts'
import type { Measurement } from '../bench.ts'
import { median } from '../measure/median.ts'
import { sleep } from '../measure/sleep.ts'
import { type PerRole, roles, sumOf } from '../measure/tree-usage.ts'
import { progress } from '../report/progress.ts'
import { bootServer } from '../server/boot-server.ts'
import { kinds, type SoakSetting } from './kinds.ts'
import { type Held, heldBy } from './left-over.ts'
import { soakPictures } from './pictures.ts'
import { soakTables, type Tenth } from './soak-tables.ts'

const concurrency = 8
const parts = 10
const sampleMs = 1_000
/** Idle background renderers end after 30 s; files of deleted batches are removed within seconds. */
const restMs = 40_000

/** A fixed order that mixes the kinds; each gets other pictures in each round. */
const order = kinds.flatMap((kind) => Array.from({ length: kind.share }, () => kind))
const kindOf = (nth: number) => order[(nth * 37) % order.length]

/** A webhook receiver that fails every third time. */
async function startHook(): Promise<{ url: string; close(): void }> {
  let webhookCount = 0
  const server = createServer((request, response) => {
    request.resume().once('end', () => response.writeHead(++webhookCount % 3 === 0 ? 500 : 204).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, close: () => void server.close() }
}

/** Sends the requests from `from` on, and counts by kind those with an unexpected outcome. */
async function send(setting: SoakSetting, from: number, count: number, surprises: Map<string, number>): Promise<void> {
  let next = from
  const lane = async () => {
    for (let nth = next++; nth < from + count; nth = next++) {
      const kind = kindOf(nth)
      if (!kind) continue
      const status = await kind.send(setting, nth + Math.floor(nth / order.length)).catch((error: unknown) => String(error))
      if (typeof status === 'number' && kind.expected.includes(status)) continue
      const name = `${kind.name}: ${status}`
      surprises.set(name, (surprises.get(name) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

const medianOf = (samples: readonly PerRole[]): PerRole =>
  Object.fromEntries(roles.map((role) => [role, median(samples.map((sample) => sample[role]))])) as PerRole

async function sampledDuring(memory: () => PerRole, work: () => Promise<void>): Promise<PerRole> {
  const samples: PerRole[] = []
  const watch = setInterval(() => samples.push(memory()), sampleMs)
  await work().finally(() => clearInterval(watch))
  samples.push(memory())
  return medianOf(samples)
}

/** Whether a service returns to its initial state after all kinds of requests. SOAK_REQUESTS is their number. */
export const measureSoak: Measurement = {
  names: ['soak'],
  async measure({ photographs, quick }) {
    const requests = Number(process.env.SOAK_REQUESTS ?? (quick ? 1_000 : 20_000))
    const temporary = mkdtempSync(join(tmpdir(), 'pixelmill-soak-'))
    const pictures = await soakPictures(photographs)
    const model = await startModelServer(20)
    const hook = await startHook()
    const settings = { AI_BASE_URL: model.baseUrl, AI_MODEL: 'bench', EGRESS_ALLOW: '127.0.0.1', TMPDIR: temporary }
    const server = await bootServer(settings)
    const { port, key } = server
    const tenths: Tenth[] = []
    const surprises = new Map<string, number>()
    try {
      const setting = { port, key, pictures, hookUrl: hook.url }
      // One of each before measuring: lazily loaded code is not a leak.
      await send(setting, 0, order.length, new Map())
      await sleep(restMs)
      const before: Held = await heldBy(server, temporary)
      for (let part = 0; part < parts; part++) {
        progress(`soak: ${part + 1} of ${parts}`)
        const size = requests / parts
        const memory = await sampledDuring(server.memory, () => send(setting, part * size, size, surprises))
        tenths.push({ requests: (part + 1) * size, used: memory, all: sumOf(memory) })
      }
      await sleep(restMs)
      return soakTables(tenths, before, await heldBy(server, temporary), surprises)
    } finally {
      await server.stop()
      model.close()
      hook.close()
      rmSync(temporary, { recursive: true, force: true })
    }
  },
}
