import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { caller } from '../support/call.ts'
import { solid } from '../support/pictures.ts'
import { renderersOf, type Server, startServer } from '../support/server.ts'

const MiB = 1024 * 1024
/** What the renderers take while one of them decodes 45 megapixels, with a reserve; two at once would take 1,800. */
const ONE_AT_A_TIME = 1_400 * MiB

let server: Server
before(async () => {
  server = await startServer({ RENDERERS: '3' })
})
after(() => server[Symbol.asyncDispose]())

const residentBytes = async (pid: number): Promise<number> => {
  // A renderer may be replaced between the listing and the look.
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024
}

test('watermarks of 45 megapixels count like images against the limit of memory', {
  skip: process.platform !== 'linux' && 'Linux only',
}, async () => {
  const image = await solid(200, 200, '#123456').png().toBuffer()
  const watermark = await solid(6_700, 6_700, '#123456').avif({ effort: 0 }).toBuffer()
  assert.ok(watermark.length < 10_000, 'two kilobytes on the wire are enough')
  let done = false
  const answers = Promise.all(
    Array.from({ length: 3 }, () => caller(server).post('watermark', { scale: 1 }, { image, watermark })),
  ).finally(() => {
    done = true
  })
  let peak = 0
  for (let looks = 0; !done && looks < 2_000; looks++) {
    const sizes = await Promise.all((await renderersOf(server.pid)).map(({ pid }) => residentBytes(pid)))
    peak = Math.max(
      peak,
      sizes.reduce((sum, size) => sum + size, 0),
    )
    await sleep(20)
  }
  assert.deepEqual(new Set((await answers).map(({ status }) => status)), new Set([200]))
  assert.ok(peak < ONE_AT_A_TIME, `${Math.round(peak / MiB)} MiB resident in all renderers`)
})
