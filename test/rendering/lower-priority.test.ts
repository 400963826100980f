import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { lowerPriority } from '../../src/rendering/lower-priority.ts'
import { until } from '../support/until.ts'

const OURS = '/proc/self/autogroup'
const skip = existsSync(OURS) ? false : 'this kernel does not group by sessions'
const NICE = 7

test('a program in our session is lowered alone, and we are not', { skip }, async (t) => {
  const [shares, leads] = [false, true].map((detached) => spawn('sleep', ['60'], { detached, stdio: 'ignore' }))
  assert.ok(shares?.pid && leads?.pid)
  t.after(() => {
    for (const child of [shares, leads]) child.kill('SIGKILL')
  })
  const before = readFileSync(OURS, 'utf8')
  lowerPriority(shares, NICE)
  lowerPriority(leads, NICE)
  // The second one's group says that the kernel has taken the change of a group by now.
  const group = `/proc/${leads.pid}/autogroup`
  assert.ok(await until(async () => readFileSync(group, 'utf8').endsWith(` nice ${NICE}\n`), 5_000))
  assert.equal(readFileSync(OURS, 'utf8'), before)
  assert.deepEqual([getPriority(shares.pid), getPriority(leads.pid)], [NICE, NICE])
})
