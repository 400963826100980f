import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { limitTime } from '../../src/rendering/time-limit.ts'
import { until } from '../support/until.ts'

const BUSY = 'for (;;);'
const IDLE = 'setInterval(() => {}, 1_000)'

interface Row {
  readonly name: string
  readonly program: string
  readonly ofCpu: boolean
  /** Whether a limit of half a second has passed before one of a second and a half by the clock. */
  readonly ended: boolean
}

const rows: readonly Row[] = [
  { name: 'by the clock, the time of an idle program is over', program: IDLE, ofCpu: false, ended: true },
  { name: 'by CPU, that of a program that waits for a processor is not', program: IDLE, ofCpu: true, ended: false },
]
/** A limit by the clock that begins now has passed. */
const elapse = (seconds: number): Promise<void> =>
  new Promise((resolve) => void limitTime({ seconds, ofCpu: false }, undefined, resolve))

for (const { name, program, ofCpu, ended } of rows) {
  test(name, async (t) => {
    const child = spawn(process.execPath, ['-e', program])
    t.after(() => child.kill('SIGKILL'))
    let ends = 0
    const callOff = limitTime({ seconds: 0.5, ofCpu }, child.pid, () => ends++)
    await elapse(1.5)
    assert.equal(ends, Number(ended))
    callOff()
  })
}

test('by CPU, a busy program is ended once, and one that hangs in the end', {
  skip: process.platform !== 'linux',
}, async (t) => {
  for (const program of [BUSY, IDLE]) {
    const child = spawn(process.execPath, ['-e', program])
    t.after(() => child.kill('SIGKILL'))
    let ends = 0
    const began = performance.now()
    limitTime({ seconds: 0.3, ofCpu: true }, child.pid, () => ends++)
    assert.ok(await until(async () => ends > 0, 20_000))
    if (program === IDLE) assert.ok(performance.now() - began >= 3_000)
    child.kill('SIGKILL')
    await elapse(0.4)
    assert.equal(ends, 1)
  }
})

test('a limit that is cancelled ends nothing', async () => {
  let ends = 0
  limitTime({ seconds: 0.05, ofCpu: false }, process.pid, () => ends++)()
  await elapse(0.1)
  assert.equal(ends, 0)
})
