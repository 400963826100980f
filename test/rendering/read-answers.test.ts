import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { type Message, readAnswers } from '../../src/rendering/read-answers.ts'
import { rendererProcess } from '../../src/rendering/renderer-process.ts'
import { spawnRenderer } from '../../src/rendering/spawn-renderer.ts'
import { frame } from '../../src/rendering/wire.ts'
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
  const closed = new Promise((resolve) => wire.once('close', resolve))
  for (let at = 0; at < bytes.length; at += size) wire.write(bytes.subarray(at, at + size))
  wire.end()
  await closed
  return { messages, faults }
}

const answer = { outcome: 'image', codec: 'png', width: 1, height: 1, ms: 1, rss: 1, cpuSeconds: 1, files: [3, 0] }
const whole = Buffer.concat([frame(answer), Buffer.from('abc')])

for (const size of [1, 5, 1000]) {
  test(`answers are read whole from chunks of ${size} bytes`, async () => {
    const { messages, faults } = await read(Buffer.concat([whole, whole]), size)
    assert.deepEqual(faults, [])
    assert.deepEqual(messages, Array(2).fill({ answer, files: [Buffer.from('abc'), Buffer.alloc(0)] }))
  })
}

const text = (json: string) => {
  const bytes = Buffer.from(`0000${json}`)
  bytes.writeUInt32LE(bytes.length - 4)
  return bytes
}
const lies: Readonly<Record<string, Buffer>> = {
  'a header of 4 GiB': Buffer.alloc(4, 0xff),
  'what is not JSON': text('{'),
  nothing: text('null'),
  'no list of files': text('{}'),
  'a file of 4 GiB': frame({ ...answer, files: [2 ** 32] }),
  'a file of fewer than no bytes': frame({ ...answer, files: [-1] }),
  'a file of half a byte': frame({ ...answer, files: [0.5] }),
  'a hundred thousand files': frame({ ...answer, files: Array(100_000).fill(0) }),
}
for (const [lie, bytes] of Object.entries(lies)) {
  test(`a renderer that announces ${lie} is heard no more, and breaks nothing`, async () => {
    const { messages, faults } = await read(Buffer.concat([whole, bytes, whole]))
    assert.deepEqual([messages.length, faults.length], [1, 1])
  })
}

test('a renderer that does not speak as one is killed, and counts as a crash', async () => {
  const renderer = rendererProcess(spawnRenderer(attemptCommand(works, 'tell the environment')))
  await assert.rejects(renderer.ready, /announced a header of \d+ bytes/)
  assert.equal((await renderer.gone).reason, 'crash')
})
