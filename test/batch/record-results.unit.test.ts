import assert from 'node:assert/strict'
import { test } from 'node:test'
import { batched } from '../../src/batch/record-results.ts'

test('the first item is sent at once, those that arrive meanwhile together, each with its own answer', async () => {
  const groups: (readonly number[])[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const send = batched(async (group: readonly number[]) => {
    const gate = Promise.withResolvers<void>()
    groups.push(group)
    gates.push(gate)
    await gate.promise
    if (group.includes(3)) throw new Error('no three')
    return group.map((item) => item * 10)
  })
  const first = send(1)
  const next = [send(2), send(4)]
  assert.deepEqual(groups, [[1]])
  gates[0]?.resolve()
  assert.equal(await first, 10)
  const failing = [send(3), send(5)]
  assert.deepEqual(groups, [[1], [2, 4]])
  gates[1]?.resolve()
  assert.deepEqual(await Promise.all(next), [20, 40])
  gates[2]?.resolve()
  for (const one of failing) await assert.rejects(one, { message: 'no three' })
  assert.deepEqual(groups, [[1], [2, 4], [3, 5]])
  // A group that failed does not block others.
  const last = send(6)
  gates[3]?.resolve()
  assert.equal(await last, 60)
})
