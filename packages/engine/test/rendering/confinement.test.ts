import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measures, without } from '../../src/rendering/sandbox/confinement.ts'
import { attempt, works } from './confined.ts'
import { describeAttempt, lacking, measuresWithout, NODE, rows } from './refused-attempts.ts'

/** Limits that take long to reach, or much memory: confinement.slow.test.ts tries them, as it tries all attempts of each measure. */
const COSTLY = ['cpu_limit', 'memory_limit']

const firsts = measures.flatMap(({ name }) => rows.find(({ measure }) => measure === name) ?? [])

for (const row of firsts.filter(({ measure }) => !COSTLY.includes(measure))) {
  const { measure, attempt: name, argument = '', besides = [], refused, skip = false } = row
  test(`${measure}: a renderer cannot ${describeAttempt(row)}`, { skip: lacking(measure) || skip }, async () => {
    assert.match(await attempt(measuresWithout(besides), name, argument), refused)
  })
}

test('environment: a renderer has eight variables, none of them secret', async () => {
  process.env.PIXELMILL_TEST_SECRET = 'secret'
  const malloc = 'MALLOC_ARENA_MAX,MALLOC_MMAP_THRESHOLD_,MALLOC_TRIM_THRESHOLD_'
  const others = 'NODE_COMPILE_CACHE,RAYON_NUM_THREADS,UV_THREADPOOL_SIZE,VIPS_DISC_THRESHOLD'
  assert.equal(await attempt(works, 'tell the environment', ''), `done: FONTCONFIG_FILE,${malloc},${others}`)
})

test('no_capabilities: none are effective', { skip: lacking('no_capabilities') }, async () => {
  assert.equal(await attempt(without(works, NODE), 'tell the capabilities', ''), 'done: 0000000000000000')
})

test('every measure is tried', () => {
  const testedMeasures = new Set([...rows.map(({ measure }) => measure), 'environment', 'dies_with_server'])
  assert.deepEqual(
    measures.map(({ name }) => name).filter((name) => !testedMeasures.has(name)),
    [],
  )
})
