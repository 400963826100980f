import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { type OwnServer, startOwnServer } from './conformance/server.ts'
import { callsFor, type GoldenCall } from './golden/calls.ts'

/**
 * Records the responses of the five image endpoints for files of a folder (status, headers, SHA-256 of the body), and compares a
 * later version with the record: `npm run golden -- FOLDER --write FILE`, then `npm run golden -- FOLDER --compare FILE`.
 */

const FILES = 40
const MOST_BYTES = 1_500_000
const WATERMARK = join(import.meta.dirname, '../examples/product.jpg')

/** Headers that differ between calls or contain a time. */
const volatileHeaders =
  /^(date|connection|keep-alive|x-request-id|x-processing-time.*|server-timing|ratelimit.*|x-ratelimit.*|x-credits.*)$/

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { write: { type: 'string' }, compare: { type: 'string' } },
})
const [folder] = positionals
const record = values.write ?? values.compare
if (!folder || !record) {
  console.error('Usage: npm run golden -- FOLDER --write FILE | --compare FILE')
  process.exit(2)
}

/** Files of a folder at equal distances in the order of their paths, so that every format and source is represented. */
function sample(from: string): readonly string[] {
  const all = readdirSync(from, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(jpe?g|png|webp|gif|avif|heic|heif|tiff?|bmp)$/i.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => statSync(file).size <= MOST_BYTES)
    .sort()
  return Array.from({ length: Math.min(FILES, all.length) }, (_, at) => all[Math.floor((at * all.length) / FILES)] ?? '')
}

async function answer({ url, key }: OwnServer, file: string, { endpoint, fields }: GoldenCall): Promise<string> {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.append(name, value)
  body.append('image', new Blob([new Uint8Array(readFileSync(file))]), 'image')
  if (endpoint === 'watermark') body.append('watermark', new Blob([new Uint8Array(readFileSync(WATERMARK))]), 'mark.jpg')
  const response = await fetch(`${url}/api/v1/${endpoint}`, { method: 'POST', body, headers: { authorization: `Bearer ${key}` } })
  const bytes = Buffer.from(await response.arrayBuffer())
  // The body of an error contains the identifier of its request.
  const stable = response.ok ? bytes : Buffer.from(bytes.toString().replace(/req_\w+/, 'req_'))
  const headers = [...response.headers].filter(([name]) => !volatileHeaders.test(name)).map((pair) => pair.join(': '))
  return [response.status, createHash('sha256').update(stable).digest('hex'), ...headers].join(' | ')
}

await using server = await startOwnServer()
const answers: Record<string, string> = {}
for (const [index, file] of sample(folder).entries()) {
  for (const call of callsFor(index)) {
    answers[`${relative(folder, file)} ${call.endpoint} ${new URLSearchParams(call.fields)}`] = await answer(server, file, call)
  }
}

if (values.write) {
  writeFileSync(values.write, `${JSON.stringify(answers, undefined, 2)}\n`)
  console.log(`${Object.keys(answers).length} answers are recorded in ${values.write}.`)
} else {
  const before = JSON.parse(readFileSync(record, 'utf8')) as Readonly<Record<string, string>>
  const different = Object.keys({ ...before, ...answers }).filter((name) => before[name] !== answers[name])
  for (const name of different)
    console.log(`${name}\n  before: ${before[name] ?? 'nothing'}\n  now:    ${answers[name] ?? 'nothing'}`)
  console.log(`${Object.keys(answers).length - different.length} of ${Object.keys(answers).length} answers are as recorded.`)
  if (different.length > 0) process.exitCode = 1
}
