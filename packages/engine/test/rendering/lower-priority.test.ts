import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { getPriority } from 'node:os'
import { test } from 'node:test'
import { lowerSession, withNice } from '../../src/rendering/sandbox/processes.ts'
import { until } from '../support/until.ts'

const OURS = '/proc/self/autogroup'
const skip = existsSync(OURS) ? false : 'this kernel does not group by sessions'
const NICE = 7

function start(script: string, isDetached: boolean) {
  const [command = '', ...args] = withNice(['sh', '-c', script], NICE)
  return spawn(command, args, { detached: isDetached, stdio: ['ignore', 'pipe', 'ignore'] })
}

test('what a program starts at once has its nice value too', async (t) => {
  const child = start('sleep 60 & echo $!; wait', true)
  t.after(() => process.kill(-(child.pid ?? 0), 'SIGKILL'))
  const [number] = (await once(child.stdout, 'data')) as [Buffer]
  assert.equal(getPriority(Number(number)), NICE)
})

test('lowering a program in our session does not lower us', { skip }, async (t) => {
  const [shares, leads] = [false, true].map((isDetached) => start('exec sleep 60', isDetached))
  assert.ok(shares?.pid && leads?.pid)
  t.after(() => {
    for (const child of [shares, leads]) child.kill('SIGKILL')
  })
  const before = readFileSync(OURS, 'utf8')
  lowerSession(shares, NICE)
  lowerSession(leads, NICE)
  // The second one's group says that the kernel has taken the change of a group by now.
  const group = `/proc/${leads.pid}/autogroup`
  assert.ok(await until(async () => readFileSync(group, 'utf8').endsWith(` nice ${NICE}\n`), 5_000))
  assert.equal(readFileSync(OURS, 'utf8'), before)
  // `nice` sets the value before it becomes the program.
  for (const { pid = 0 } of [shares, leads]) assert.ok(await until(async () => getPriority(pid) === NICE, 5_000))
})
