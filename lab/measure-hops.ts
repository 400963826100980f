import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { NO_PROGRAMS } from '@pixelmill/codecs/programs'
import { rendererProcess } from '@pixelmill/engine/rendering/renderer-process'
import { spawnRenderer } from '@pixelmill/engine/rendering/sandbox/spawn'
import { tasks } from '@pixelmill/engine/tasks/index'
import { makeApiKey } from 'pixelmill-server/accounts/api-keys'
import sharp from 'sharp'

/**
 * Through how many files of ours a convert runs, in the API process and in a renderer: `node lab/measure-hops.ts [CALLS]`. V8 counts
 * how often each function ran, from the start of the process on. Two numbers are printed of each process:
 *
 * - files of a call: a function in them ran at least once more for each call than in as many seconds without one;
 * - of these, files of nothing else: no function that the calls needed in the others ran before them, at the start or while idle.
 *
 * Files are listed as their imports lead to them, from the entry on, with the functions that ran.
 */

const root = join(import.meta.dirname, '..')
const CALLS = Number(process.argv[2] ?? 20)
/** A start compiles and connects; what is to be done once has been done by then. */
const SETTLE_MS = 3_000
/** The entries of both processes, from which the order of the lists follows. */
const ENTRIES = ['apps/server/src/http/app.ts', 'apps/server/src/routes.ts', 'packages/engine/src/rendering/renderer.ts']

interface FunctionCoverage {
  readonly functionName: string
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[]
}

interface Coverage {
  readonly result: readonly { readonly url: string; readonly functions: readonly FunctionCoverage[] }[]
}

/** How often each function of ours ran, by its file, place and name. */
type Counts = ReadonlyMap<string, number>

/** Asks V8 of another process, which waits at its start until the counting has begun. */
class Counter {
  readonly #socket: WebSocket
  readonly #answers = new Map<number, (result: unknown) => void>()
  #last = 0

  private constructor(socket: WebSocket) {
    this.#socket = socket
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { readonly id?: number; readonly result?: unknown }
      if (id !== undefined) this.#answers.get(id)?.(result)
    })
  }

  static async attach(child: ChildProcess): Promise<Counter> {
    const socket = new WebSocket(await inspectorOf(child))
    await once(socket, 'open')
    const counter = new Counter(socket)
    await counter.#ask('Profiler.enable')
    await counter.#ask('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
    await counter.#ask('Runtime.runIfWaitingForDebugger')
    return counter
  }

  /** The other process ends only when nobody is attached. */
  [Symbol.dispose](): void {
    this.#socket.close()
  }

  /** Since it was asked last. */
  async counts(): Promise<Counts> {
    const { result } = (await this.#ask('Profiler.takePreciseCoverage')) as Coverage
    return new Map(
      result
        .filter(({ url }) => url.startsWith(pathToFileURL(root).href) && !url.includes('/node_modules/'))
        .flatMap(({ url, functions }) =>
          functions.map(({ functionName, ranges: [range] }) => {
            const file = relative(pathToFileURL(root).pathname, new URL(url).pathname)
            return [`${file} ${range?.startOffset} ${functionName}`, range?.count ?? 0] as const
          }),
        ),
    )
  }

  #ask(method: string, params = {}): Promise<unknown> {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    this.#last += 1
    this.#answers.set(this.#last, resolve)
    this.#socket.send(JSON.stringify({ id: this.#last, method, params }))
    return promise
  }
}

/** Node prints the address of its inspector to standard error. */
async function inspectorOf({ stderr }: ChildProcess): Promise<string> {
  let text = ''
  for (;;) {
    const [chunk] = (await once(stderr ?? process.stdin, 'data')) as [Buffer]
    text += chunk.toString()
    const [address] = /ws:\/\/\S+/.exec(text) ?? []
    if (address !== undefined) return address
  }
}

/** Files in the order in which imports lead to them from the entries, depth first. */
function inOrder(files: ReadonlySet<string>): readonly string[] {
  const reachableFiles = new Set<string>()
  function visit(file: string): void {
    if (reachableFiles.has(file)) return
    reachableFiles.add(file)
    const { resolve } = createRequire(join(root, file))
    const imports = readFileSync(join(root, file), 'utf8').matchAll(/^(?:import (?!type )|export |\} )[^'\n]*from '([^']+)'/gm)
    for (const [, specifier = ''] of imports) if (/^(\.|@?pixelmill)/.test(specifier)) visit(relative(root, resolve(specifier)))
  }
  for (const entry of ENTRIES) visit(entry)
  return [...reachableFiles].filter((file) => files.has(file)).concat([...files].filter((file) => !reachableFiles.has(file)))
}

function print(title: string, before: Counts, during: Counts, idle: Counts): void {
  const ran = [...during].filter(([name, count]) => count - (idle.get(name) ?? 0) >= CALLS).map(([name]) => name)
  const names = Map.groupBy(ran, (name) => name.split(' ')[0] ?? '')
  const alone = new Set(ran.filter((name) => !before.get(name) && !idle.get(name)).map((name) => name.split(' ')[0]))
  console.log(`\n${title}: ${names.size} files of a call, ${alone.size} of nothing else`)
  for (const [index, file] of inOrder(new Set(names.keys())).entries()) {
    const functions = (names.get(file) ?? []).map((name) => name.split(' ').slice(2).join(' ') || '=>')
    console.log(`${String(index + 1).padStart(3)} ${alone.has(file) ? '*' : ' '} ${file}  ${[...new Set(functions)].join(' ')}`)
  }
}

async function measureServer(picture: Buffer): Promise<void> {
  const dir = mkdtempSync(join(tmpdir(), 'pixelmill-hops-'))
  const key = makeApiKey()
  const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: dir, ADMIN_API_KEY: key, BURST_PER_MINUTE: '0' }
  const main = join(root, 'apps/server/src/main.ts')
  const child = spawn(process.execPath, ['--inspect-wait=127.0.0.1:0', main], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  try {
    using counter = await Counter.attach(child)
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
    })
    const address = () => /listens on (\S+)/.exec(output)?.[1]
    while (!address() && child.exitCode === null) await sleep(50)
    const call = async () => {
      const body = new FormData()
      body.append('format', 'webp')
      body.append('image', new Blob([new Uint8Array(picture)]), 'photo.jpg')
      const response = await fetch(`${address()}/api/v1/convert`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${key}` },
      })
      if (!response.ok) throw new Error(await response.text())
      await response.arrayBuffer()
    }
    while (!(await fetch(`${address()}/readyz`)).ok) await sleep(50)
    await sleep(SETTLE_MS)
    const before = await counter.counts()
    const began = performance.now()
    for (let nth = 0; nth < CALLS; nth++) await call()
    const during = await counter.counts()
    const seconds = performance.now() - began
    await sleep(SETTLE_MS)
    await counter.counts()
    await sleep(seconds)
    print('API process', before, during, await counter.counts())
  } finally {
    if (child.exitCode === null && child.kill()) await once(child, 'exit')
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A renderer without its sandbox, which the inspector could not enter. */
async function measureRenderer(picture: Buffer): Promise<void> {
  const entry = pathToFileURL(join(root, 'packages/engine/src/rendering/renderer.ts')).href
  const child = spawnRenderer([process.execPath, '--inspect-wait=127.0.0.1:0', '--expose-gc', '--entry-url', entry])
  const renderer = rendererProcess(child)
  using counter = await Counter.attach(child)
  await renderer.ready
  const params = tasks.convert.params.parse({ format: 'webp' })
  const render = () => renderer.render({ task: 'convert', params, allowance: 20, programs: NO_PROGRAMS }, [[picture]])
  /** It waits for work without a turn of its event loop: V8 answers while the next picture is rendered. */
  async function countsThen(): Promise<Counts> {
    const counts = counter.counts()
    await render()
    return await counts
  }
  const before = await countsThen()
  for (let nth = 0; nth <= CALLS; nth++) await render()
  print('Renderer', before, await countsThen(), new Map())
  renderer.kill()
}

const picture = await sharp(join(root, 'examples/photo.jpg')).resize(640).jpeg().toBuffer()
await measureServer(picture)
await measureRenderer(picture)
