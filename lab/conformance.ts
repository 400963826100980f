import { readdirSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { openable } from './conformance/openable.ts'
import { printReport } from './conformance/report.ts'
import { requests } from './conformance/requests.ts'
import { type Outcome, send } from './conformance/send.ts'
import { startOwnServer } from './conformance/server.ts'
import { watchMemory } from './conformance/tree-memory.ts'

/**
 * Sends every file of a folder through the service: each answer must be an image or a documented error, nearly all files that
 * sharp or libheif open must give images, and the server must survive.
 */

const AT_ONCE = 4

const { positionals, values } = parseArgs({ allowPositionals: true, options: { only: { type: 'string', multiple: true } } })
const [folder] = positionals
const selection = requests.filter(({ name }) => values.only?.some((part) => name.startsWith(part)) ?? true)
if (!folder || !statSync(folder, { throwIfNoEntry: false })?.isDirectory()) {
  console.error('Usage: npm run conformance -- FOLDER [--only enhance] [--only background-remove]')
  process.exit(2)
}

const files = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name))
  .sort()
const inFolder = (file: string) => relative(folder, file)
const work = files.flatMap((file) => selection.map((request) => ({ file, request })))

// Only conversions are compared with what other programs open.
const converts = selection.some(({ name }) => name === 'convert')
if (converts) console.log('Looking which of them sharp and libheif open ...')
const expected = converts ? await openable(files) : new Set<string>()
// No reverse proxy is involved here.
await using server = await startOwnServer({ BATCH_NICE: '0' })
const memory = watchMemory(server.pid)
const began = performance.now()
const outcomes: Outcome[] = []

async function lane(): Promise<void> {
  for (let job = work.shift(); job; job = work.shift()) {
    const outcome = await send(server, job.file, job.request)
    outcomes.push({ ...outcome, file: inFolder(job.file) })
    if (outcomes.length % 1000 === 0) console.log(`${outcomes.length} of ${files.length * selection.length} answered`)
  }
}
await Promise.all(Array.from({ length: AT_ONCE }, lane))

const alive =
  server.alive() &&
  (await fetch(`${server.url}/healthz`).then(
    (answer) => answer.ok,
    () => false,
  ))
const restarts = alive ? await server.restarts() : {}
const seconds = (performance.now() - began) / 1000
const isPass = printReport({
  files: files.length,
  expected: new Set([...expected].map(inFolder)),
  outcomes,
  seconds,
  restarts,
  memory: memory.stop(),
  alive,
})
process.exitCode = isPass ? 0 : 1
