import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { test } from 'node:test'
import { errors } from '../../src/contract/errors.ts'
import { metrics } from '../../src/metrics/metrics.ts'
import { laneNames } from '../../src/rendering/pool.ts'
import { servedRoutes } from '../../src/routes/index.ts'
import { tasks } from '../../src/tasks/index.ts'

const routes = servedRoutes(undefined, { METRICS_TOKEN: undefined, DELIVERY_DIALECTS: ['imgproxy'] })
const paths = [...new Set(routes.map(({ path }) => path)), 'unknown']
const names = Object.keys(errors) as (keyof typeof errors)[]
const refused = names.map((error) => ({ error, status: errors[error].status }))

const seriesOf = (text: string): number => text.split('\n').filter((line) => line.startsWith('pixelmill_')).length

/** A server that has given each answer of its tables, to each method that there is. */
function driven() {
  const meters = metrics()
  const methodsAt = (path: string) => (path === 'unknown' ? METHODS : ['GET', 'POST', 'PURGE'])
  for (const path of paths)
    for (const method of methodsAt(path))
      for (const { error, status } of refused) meters.onResponse({ method, route: path, status, seconds: 0.01, error })
  for (const task of Object.keys(tasks))
    for (const lane of laneNames)
      for (const error of names)
        meters.onRender(
          { task, outcome: error, waitSeconds: 0.1, renderSeconds: 0.1 } as Parameters<typeof meters.onRender>[0],
          lane,
        )
  return meters
}

test('the number of series follows from the tables, whatever is sent', async () => {
  const meters = driven()
  const statuses = new Set(refused.map(({ status }) => status)).size
  const before = await meters.text()
  const bound =
    // Buckets, their infinity, sum and count; then each method, status and error.
    paths.length * (12 + 3) +
    paths.length * 3 * statuses +
    8 * statuses +
    names.length +
    Object.keys(tasks).length * (laneNames.length * 19 + names.length)
  assert.ok(seriesOf(before) < bound + 500, `${seriesOf(before)} of ${bound}`)
})

test('what clients send is never a label', async () => {
  const meters = metrics()
  for (let at = 0; at < 1_000; at++) meters.onResponse({ method: `METHOD-${at}`, route: 'unknown', status: 404, seconds: 0 })
  const text = await meters.text()
  assert.equal(text.match(/^pixelmill_http_requests_total\{/gm)?.length, 1)
  assert.match(text, /http_requests_total\{method="other",route="unknown",status="404"\} 1000$/m)
})

test('the text is computed at most once a second', async () => {
  const meters = metrics()
  const first = meters.text()
  assert.equal(meters.text(), first)
  const text = await first
  meters.onPasswordDerivation()
  assert.equal(await meters.text(), text)
})
