import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { frame, type Message, readAnswers } from '../../src/rendering/protocol.ts'
import { rendererProcess } from '../../src/rendering/renderer-process.ts'
import { spawnRenderer } from '../../src/rendering/sandbox/spawn.ts'
import { attemptCommand, works } from './confined.ts'

/** What is made of the bytes that a renderer sends, in chunks of this size. */
async function read(bytes: Buffer, size = bytes.length): Promise<{ messages: readonly Message[]; faults: readonly string[] }> {
  const wire = new PassThrough()
  const messages: Message[] = []
  const faults: string[] = []
  readAnswers(
    wire,
    (message) => messages.push(message),
    (error) => faults.push(error.message),
  )
  const closing = new Promise((resolve) => wire.once('close', resolve))
  for (let at = 0; at < bytes.length; at += size) wire.write(bytes.subarray(at, at + size))
  wire.end()
  await closing
  return { messages, faults }
}

const usage = { ms: 1, rss: 1, cpuSeconds: 1 }
const report = { format: 'heic', width: 1, height: 1, warnings: [] }
const answer = {
  outcome: 'done',
  task: 'convert',
  report,
  finish: [{ program: 'heif-enc', file: 0, quality: 75, otherwise: 1 }],
  ...usage,
  files: [3, 1],
}
const whole = Buffer.concat([frame(answer), Buffer.from('abcd')])

for (const size of [1, 5, 1000]) {
  test(`answers are read whole from chunks of ${size} bytes`, async () => {
    const { messages, faults } = await read(Buffer.concat([whole, whole]), size)
    assert.deepEqual(faults, [])
    assert.deepEqual(messages, Array(2).fill({ answer, files: [Buffer.from('abc'), Buffer.from('d')] }))
  })
}

const text = (json: string) => {
  const bytes = Buffer.from(`0000${json}`)
  bytes.writeUInt32LE(bytes.length - 4)
  return bytes
}
const imageOf = (change: object) => ({
  ...answer,
  report: { ...report, format: 'png', ...change },
  finish: undefined,
  files: [1],
})
const image = imageOf({})
const error = { outcome: 'error', code: 'invalid_image', message: 'It is damaged.', ...usage, files: [] }
const heavy = { outcome: 'heavy', megapixels: 30, ...usage, files: [] }

const issue = { path: ['x'], code: 'too_big', message: 'x is too large' }
for (const example of [
  { outcome: 'ready', ...usage, files: [] },
  heavy,
  error,
  { ...error, issues: [issue], cause: 'libvips' },
]) {
  test(`an answer of a renderer is read unchanged: ${Object.keys(example)}, ${example.outcome}`, async () => {
    assert.deepEqual(await read(frame(example)), { messages: [{ answer: example, files: [] }], faults: [] })
  })
}

const lies: Readonly<Record<string, Buffer>> = {
  'a header of 4 GiB': Buffer.alloc(4, 0xff),
  'what is not JSON': text('{'),
  nothing: text('null'),
  'no list of files': text('{}'),
  'a file of 4 GiB': frame({ ...answer, files: [2 ** 32] }),
  'a file of fewer than no bytes': frame({ ...answer, files: [-1] }),
  'a file of half a byte': frame({ ...answer, files: [0.5] }),
  'a hundred thousand files': frame({ ...answer, files: Array(100_000).fill(1) }),
  'an unknown outcome': frame({ ...error, outcome: 'nonsense' }),
  'an outcome that every object has': frame({ ...error, outcome: 'constructor' }),
  'an unknown error': frame({ ...error, code: 'nonsense' }),
  'an error that every object has': frame({ ...error, code: 'constructor' }),
  'an error that is no renderer’s': frame({ ...error, code: 'insufficient_credits' }),
  'no sentence': frame({ ...error, message: 1 }),
  'a sentence of a megabyte': frame({ ...error, message: 'x'.repeat(1e6) }),
  'a cause of a megabyte': frame({ ...error, cause: 'x'.repeat(1e6) }),
  'issues that are none': frame({ ...error, issues: [{ ...issue, path: 'x' }] }),
  'a thousand issues': frame({ ...error, issues: Array(1_000).fill(issue) }),
  'an error with a file': Buffer.concat([frame({ ...error, files: [1] }), Buffer.alloc(1)]),
  'an unknown codec': frame(imageOf({ format: 'nonsense' })),
  'a codec that every object has': frame(imageOf({ format: 'constructor' })),
  'a width that is no number': frame(imageOf({ width: '1' })),
  'half a pixel': frame(imageOf({ height: 0.5 })),
  'no pixel': frame(imageOf({ height: 0 })),
  'more pixels than an image may have': frame(imageOf({ width: 10_000, height: 8_001 })),
  'an unknown task': frame({ ...image, task: 'nonsense' }),
  'a task that every object has': frame({ ...image, task: 'constructor' }),
  'warnings that are none': frame(imageOf({ warnings: ['nonsense'] })),
  'no image': frame({ ...image, files: [] }),
  'an empty image': frame({ ...image, files: [0] }),
  'two images': frame({ ...image, files: [1, 1] }),
  'a WebP for heif-enc': frame({ ...answer, report: { ...report, format: 'webp' } }),
  'a quality that is none': frame({ ...answer, finish: [{ program: 'heif-enc', file: 0, quality: '--help', otherwise: 1 }] }),
  'a file for heif-enc that was not sent': frame({
    ...answer,
    finish: [{ program: 'heif-enc', file: 1, quality: 75, otherwise: 1 }],
  }),
  'a program that is none': frame({ ...answer, finish: [{ program: 'sh', file: 0, otherwise: 1 }] }),
  'a HEIC for cjxl': frame({ ...answer, finish: [{ program: 'cjxl', file: 0, otherwise: 1 }] }),
  'a gain map without sense': frame({ ...answer, finish: [{ program: 'heif-enc', file: 0, gainMap: { file: 1, values: {} } }] }),
  'a file in place of it that was not sent': frame({
    ...answer,
    finish: [{ program: 'heif-enc', file: 0, quality: 75, otherwise: 2 }],
  }),
  'three outputs, and two files': frame({
    ...answer,
    task: 'recipe',
    report: { outputs: Array(3).fill(report) },
    finish: undefined,
  }),
  'more weight than the limit': frame({ ...heavy, megapixels: 81 }),
  'time that is none': frame({ ...error, ms: -1 }),
  'endless time': text(JSON.stringify(error).replace('"ms":1', '"ms":1e999')),
  'memory that is none': frame({ ...error, rss: null }),
}
for (const [lie, bytes] of Object.entries(lies)) {
  test(`a renderer that announces ${lie} is heard no more, and breaks nothing`, async () => {
    const { messages, faults } = await read(Buffer.concat([whole, bytes, whole]))
    assert.deepEqual([messages.length, faults.length], [1, 1])
    assert.ok(faults[0] && faults[0].length < 500)
  })
}

test('a renderer that does not speak as one is killed, and counts as a crash', async () => {
  const renderer = rendererProcess(spawnRenderer(attemptCommand(works, 'tell the environment')))
  await assert.rejects(renderer.ready, /announced a header of \d+ bytes/)
  assert.equal((await renderer.ending).reason, 'crash')
})

test('a renderer that left a program behind, which holds its pipes, is gone all the same', async (t) => {
  const child = spawn('sh', ['-c', 'sleep 100 & echo $! >&2; kill -KILL $$'], { stdio: ['ignore', 'ignore', 'pipe', 'pipe'] })
  let pid = 0
  child.stderr?.on('data', (chunk: Buffer) => (pid = Number(chunk)))
  t.after(() => process.kill(pid))
  const renderer = rendererProcess(child)
  await assert.rejects(renderer.ready, /ended with SIGKILL/)
  assert.equal((await renderer.ending).reason, 'killed')
})
