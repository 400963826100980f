import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { batchCalls, openResultRecorder } from '../record-results.ts'

const FAULT = { code: 'invalid_image', message: 'no image' } as const

test('the first item is sent at once, those that arrive meanwhile together, each with its own answer', async () => {
  const groups: (readonly number[])[] = []
  const gates: PromiseWithResolvers<void>[] = []
  const send = batchCalls(async (group: readonly number[]) => {
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

test('results are collected, and written at once when a batch has no further results to wait for', async () => {
  const groups: number[] = []
  const pool = {
    async query({ values }: { values: readonly [number, string] }) {
      const rows = JSON.parse(values[1]) as readonly { batch_id: string; seq: number; attempt: number }[]
      groups.push(rows.length)
      return { rows: rows.map(({ batch_id: batchId, ...row }) => ({ ...row, batchId, ended: false })) }
    },
  } as unknown as pg.Pool
  const expected = new Set(['large', 'other'])
  const recorder = openResultRecorder(
    pool,
    1,
    { failed: assert.ifError, worked: () => {} },
    { expects: (batchId) => expected.has(batchId), onEnded() {} },
  )
  const write = (batchId: string, seq: number) =>
    recorder.write({ batchId, seq, attempt: 1, state: 'failed', inputBytes: 1, durationMs: 1, error: FAULT })
  const early = [write('large', 0), write('large', 1), write('other', 0)]
  assert.deepEqual(groups, [])
  // The last one of its batch takes those of others with it.
  const last = write('small', 0)
  assert.deepEqual(await Promise.all([...early, last]), [true, true, true, true])
  assert.deepEqual(groups, [4])
  const waiting = write('large', 2)
  expected.delete('large')
  recorder.hurry()
  assert.equal(await waiting, true)
  // Many are written at once too.
  await Promise.all(Array.from({ length: 200 }, (_, seq) => write('other', seq)))
  assert.deepEqual(groups, [4, 1, 200])
  const began = performance.now()
  await write('other', 200)
  assert.ok(performance.now() - began > 500)
  recorder.close()
})
