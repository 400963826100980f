import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { heicReader } from '@pixelmill/codecs/heic/reader'
import sharp from 'sharp'
import { median } from '../bench/measure/median.ts'
import { sumOf, treeCpu } from '../bench/measure/tree-usage.ts'
import { startOwnServer } from '../conformance/server.ts'
import { withTime } from './cpu.ts'

/** Longest side of the WebP. */
const WIDTH = 1600
const ROUNDS = 7
/** A pause takes about as long as a conversion: it measures delays by the machine itself. */
const IDLE_MS = 1_000

/** libheif's own program, to the cheapest JPEG, and sharp from there. */
async function native(input: string, folder: string): Promise<number> {
  const between = join(folder, 'between.jpg')
  const { ms } = await withTime(async () => {
    execFileSync('heif-convert', ['-q', '95', input, between], { stdio: 'ignore' })
    return await sharp(between).resize(WIDTH).webp({ quality: 75, effort: 2 }).toBuffer()
  })
  return ms
}

async function convert(url: string, key: string, bytes: Buffer): Promise<void> {
  const body = new FormData()
  body.append('image', new Blob([new Uint8Array(bytes)]), 'photo.heic')
  for (const [name, value] of Object.entries({ format: 'webp', width: WIDTH })) body.append(name, String(value))
  const answer = await fetch(`${url}/api/v1/convert`, { method: 'POST', body, headers: { authorization: `Bearer ${key}` } })
  await answer.arrayBuffer()
  if (answer.status !== 200) throw new Error(`convert answered ${answer.status}`)
}

/** The longest delay of the API's event loop since the last query; the sampling itself waits 10 ms. */
async function worstDelay(url: string, key: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${key}` } })).text()
  return Number(/^pixelmill_nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN) * 1000
}

/** HEIC → WebP of 1,600 px: our server, heif-convert with sharp, round by round, and our reader alone. */
export async function measureConversions(bytes: Buffer): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pixelmill-measure-'))
  await using server = await startOwnServer({ RENDERERS: '1' })
  const { url, key, pid } = server
  try {
    const input = join(folder, 'in.heic')
    await writeFile(input, bytes)
    await convert(url, key, bytes)
    const rounds: { server: number; native: number; reader: number; delay: number; idle: number }[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await worstDelay(url, key)
      await sleep(IDLE_MS)
      const idle = await worstDelay(url, key)
      const before = sumOf(treeCpu(pid))
      await convert(url, key, bytes)
      const delay = await worstDelay(url, key)
      const ours = sumOf(treeCpu(pid)) - before
      rounds.push({
        server: ours,
        delay,
        idle,
        native: await native(input, folder),
        reader: (await withTime(() => heicReader.decode(bytes))).ms,
      })
    }
    const middle = (name: keyof (typeof rounds)[0]) => median(rounds.map((round) => round[name]))
    const ratio = median(rounds.map(({ server, native }) => server / native))
    const replacements = (await server.restarts()).grown ?? 0
    console.log(`server ${middle('server').toFixed(0)} ms CPU, of which the reader alone ${middle('reader').toFixed(0)}`)
    console.log(
      `heif-convert + sharp ${middle('native').toFixed(0)} ms CPU; ratio ${ratio.toFixed(2)} (median of ${ROUNDS} rounds)`,
    )
    console.log(`renderers replaced because they had grown: ${replacements} in ${ROUNDS + 1} images`)
    const worst = (name: 'delay' | 'idle') => {
      const delays = rounds.map((round) => round[name])
      return `${median(delays).toFixed(1)} ms, once ${Math.max(...delays).toFixed(1)} ms`
    }
    console.log(`event loop of the API at its worst: ${worst('delay')}; with nothing to do: ${worst('idle')}`)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
