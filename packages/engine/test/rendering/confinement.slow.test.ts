import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { without } from '../../src/rendering/sandbox/confinement.ts'
import { until } from '../support/until.ts'
import { attempt, attemptCommand, works } from './confined.ts'
import { call, describeAttempt, FILTER, lacking, measuresWithout, NODE, needsPerl, rows } from './refused-attempts.ts'

for (const row of rows) {
  const { measure, attempt: name, argument = '', besides = [], refused, skip = false } = row
  test(`${measure}: a renderer cannot ${describeAttempt(row)}, and could without it`, {
    skip: lacking(measure) || skip,
  }, async () => {
    assert.match(await attempt(measuresWithout([...besides, measure]), name, argument), /^done/, 'nothing would have held it')
    assert.match(await attempt(measuresWithout(besides), name, argument), refused)
    assert.doesNotMatch(await attempt(works, name, argument), /^done/)
  })
}

// Without the filter, the root folder refuses both: bubblewrap makes one in which the kernel would allow them.
for (const argument of ['unshare --user true', call(56, 220, 0x1000_0000 + 17, 0, 0, 0, 0)])
  test(`system_call_filter: no user namespace is made by ${argument.split('/').at(-1)}`, {
    skip: lacking(FILTER) || needsPerl,
  }, async () => {
    assert.match(await attempt(without(works, NODE), 'run a program', 'perl -v >&2'), /^done/)
    assert.match(await attempt(without(works, NODE), 'run a program', argument), /^refused: Error: exit code 1/)
  })

/** A zombie is dead, even before its parent has waited for it. */
const isAlive = (pid: number) =>
  existsSync(`/proc/${pid}/status`) && !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))

/** Whether a renderer outlives its server, which is killed. */
async function outlives(command: readonly string[]): Promise<boolean> {
  const server = spawn(process.execPath, [join(import.meta.dirname, 'programs/leave-a-renderer.ts'), ...command])
  const [line] = await once(server.stdout, 'data')
  const renderer = Number(line)
  server.kill('SIGKILL')
  await once(server, 'exit')
  const alive = !(await until(async () => !isAlive(renderer), 3_000))
  if (alive) process.kill(renderer, 'SIGKILL')
  return alive
}

test('dies_with_server: a renderer cannot outlive its server', { skip: lacking('dies_with_server') }, async () => {
  assert.equal(await outlives(attemptCommand(without(works, ['dies_with_server']), 'stay')), true)
  assert.equal(await outlives(attemptCommand(works, 'stay')), false)
})
