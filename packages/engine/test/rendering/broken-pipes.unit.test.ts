import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { test } from 'node:test'
import { tolerateBrokenPipes } from '@pixelmill/engine/rendering/sandbox/broken-pipes'

test('a program that ends without reading what was written to it breaks its pipe, and nothing else', async () => {
  const child = spawn('sh', ['-c', 'read -r line'], { stdio: ['pipe', 'ignore', 'pipe', 'pipe'] })
  tolerateBrokenPipes(child)
  const wire = child.stdio[3] as Duplex
  const faults: unknown[] = []
  wire.on('error', ({ message }: Error) => faults.push(message))
  wire.write('nobody reads this')
  child.stdin?.write('the end\n')
  const [code] = await once(child, 'close')
  assert.equal(code, 0)
  assert.deepEqual(faults, ['read ECONNRESET'])
  assert.equal(wire.listenerCount('error'), 2)
})

test('a program without pipes, for want of file descriptors, is tolerated too', () => {
  assert.doesNotThrow(() => tolerateBrokenPipes({} as Parameters<typeof tolerateBrokenPipes>[0]))
})
