import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { canRead } from '../../src/rendering/sandbox/spawn.ts'
import { task, visibleFolder, works } from './confined.ts'

const needsFilter = { skip: works.has('system_call_filter') ? false : 'renderers have no filter of system calls here' }

/**
 * The private root is built by one process for each file, so the renderer's number in its PID namespace grows with the files. In the
 * machine's own /proc some of these numbers are not taken.
 */
test('a renderer starts whatever number it has in its PID namespace', needsFilter, async () => {
  const files = Array.from({ length: 24 }, (_, index) => join(visibleFolder, `number-${index}`))
  for (const file of files) writeFileSync(file, '')
  for (const [index] of files.entries()) {
    const more = { ...task, readable: [...task.readable, ...files.slice(0, index + 1)] }
    assert.ok(await canRead(more, works), `with ${index + 1} more files`)
  }
})
