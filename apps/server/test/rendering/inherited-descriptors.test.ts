import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

const MODULE = join(import.meta.dirname, '../../src/inherited-descriptors.ts')

/**
 * Opens a file of its own, closes what was inherited, and prints which of the descriptors are open before and after. Node marks
 * those below 16 as not to be inherited.
 */
const program = `
  const { closeInherited } = await import(${JSON.stringify(MODULE)})
  const { existsSync, openSync } = await import('node:fs')
  const own = openSync('/dev/null', 'r')
  const open = () => [20, 99, own].map((descriptor) => existsSync('/proc/self/fd/' + descriptor))
  const before = open()
  closeInherited()
  console.log(JSON.stringify([before, open()]))`

test('a process closes the descriptors that its launcher left open, and keeps its own', {
  skip: process.platform !== 'linux' && 'elsewhere libuv closes what children would inherit',
}, () => {
  const launch = 'exec 20</dev/null 99</dev/null "$@"'
  const { stdout, stderr } = spawnSync('bash', ['-c', launch, 'bash', process.execPath, '--input-type=module', '-e', program], {
    encoding: 'utf8',
  })
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), [
    [true, true, true],
    [false, false, true],
  ])
})
