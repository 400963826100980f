import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laneNames } from '@pixelmill/engine/rendering/pool'
import { tasks } from '@pixelmill/engine/tasks/index'
import { errors } from '../../contract/errors.ts'
import { servedRoutes } from '../../routes.ts'
import { metrics } from '../metrics.ts'

const routes = servedRoutes(undefined, { METRICS_TOKEN: undefined, DELIVERY_DIALECTS: ['imgproxy', 'imgix', 'cloudinary'] })
const paths = [...new Set(routes.map(({ path }) => path)), 'unknown']
const names = Object.keys(errors) as (keyof typeof errors)[]
const refusedValues = names.map((error) => ({ error, status: errors[error].status }))

/** Of a histogram: its buckets, infinity, sum and count. */
const BUCKETS = 9 + 3
const RENDER_BUCKETS = 16 + 3
/** Those without labels, of Node.js and of other tables. */
const OTHERS = 300

const seriesOf = (text: string): number => text.split('\n').filter((line) => line.startsWith('pixelmill_')).length

/** A server that has given each answer of its tables. */
function drivenMetrics() {
  const meters = metrics()
  for (const path of paths)
    for (const { error, status } of refusedValues) meters.onResponse({ route: path, status, seconds: 0.01, error })
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
  const meters = drivenMetrics()
  const statuses = new Set(refusedValues.map(({ status }) => status)).size
  const before = await meters.text()
  const ofRoute = BUCKETS + statuses
  const ofTask = laneNames.length * RENDER_BUCKETS + names.length
  const bound = paths.length * ofRoute + Object.keys(tasks).length * ofTask + names.length + OTHERS
  assert.ok(seriesOf(before) < bound, `${seriesOf(before)} of ${bound}`)
})

test('the text is computed at most once a second', async () => {
  const meters = metrics()
  const first = meters.text()
  assert.equal(meters.text(), first)
  const text = await first
  meters.onPasswordDerivation()
  assert.equal(await meters.text(), text)
})
