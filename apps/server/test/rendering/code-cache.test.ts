import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { EarlyRenderers } from '@pixelmill/engine/rendering/sandbox/early-renderers'
import { rendererCommand, rendererMeasures, rendererTask, spawnRenderer } from '@pixelmill/engine/rendering/sandbox/spawn'
import { until } from '@pixelmill/engine/test/support/until'
import { startPhases } from '../../src/early.ts'

const grantedValue = { memoryMegabytes: 1_536, cpuSeconds: 60 }

test('a renderer that may read compiled code still starts, and its command lets it write nothing else', async () => {
  const task = rendererTask(grantedValue)
  const command = rendererCommand(task, await rendererMeasures(task))
  const writable = command.filter((word) => word.startsWith('--allow-fs-write'))
  assert.deepEqual(writable, task.codeCache === undefined ? [] : [`--allow-fs-write=${task.codeCache}`])
  const child = spawnRenderer(command)
  const [saidItem] = await once(child.stdio[3] as NodeJS.ReadableStream, 'data')
  assert.match(String(saidItem), /"outcome":"ready"/)
  child.kill('SIGKILL')
})

test('of renderers that were started early, those that live are taken, and those that nobody takes are ended', async () => {
  const children = Array.from({ length: 3 }, () => spawn('sleep', ['60'], { stdio: 'ignore' }))
  const [dead = 0, alive = 0, spare = 0] = children.map(({ pid }) => pid ?? 0)
  const early = new EarlyRenderers(children)
  process.kill(dead, 'SIGKILL')
  assert.ok(await until(async () => !isThere(dead)))
  const child = early.take()
  assert.equal(child?.pid, alive)
  early[Symbol.dispose]()
  assert.ok(await until(async () => !isThere(spare)))
  assert.equal(early.take(), undefined)
  assert.ok(isThere(alive))
  child?.kill('SIGKILL')
})

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false // It has been waited for.
  }
}

test('a phase is noted though its work fails', async () => {
  const phases = startPhases()
  await assert.rejects(phases.during('work', () => Promise.reject(new Error('no'))))
  const [began = 1, endedCount = 0] = phases.times().work ?? []
  assert.ok(began <= endedCount)
})
