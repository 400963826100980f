import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('while no file descriptor is free, neither a renderer nor another program starts; afterwards both do', () => {
  const program = join(import.meta.dirname, 'programs/run-out-of-files.ts')
  const command = ['-c', 'ulimit -n 100 && exec "$@"', 'sh', process.execPath, program]
  const { stdout, stderr, status } = spawnSync('sh', command, { encoding: 'utf8', timeout: 30_000 })
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), ['EMFILE', 'start: no file descriptor is left to start a renderer', 'idle', 'ended'])
  assert.equal(status, 0)
})
