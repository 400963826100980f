import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import { errors } from '../../src/contract/errors.ts'
import { metrics } from '../../src/metrics/metrics.ts'
import { caller } from '../support/call.ts'
import { metricsOf } from '../support/read-metric.ts'
import { type SharedServer, shareServer } from '../support/shared-server.ts'

const root = join(import.meta.dirname, '../../../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly datasource?: { readonly type: string; readonly uid: string }
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly refId: string; readonly expr: string }[]
}

const alertRules = read('monitoring/alerts.yaml')
const dashboard = JSON.parse(read('monitoring/grafana-dashboard.json')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] }
}
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
const page = read('docs/observability.md')

const labelsOf = new Map(
  metrics()
    .registry.getMetricsAsArray()
    .map((metric) => [metric.name, (metric as unknown as { readonly labelNames?: readonly string[] }).labelNames ?? []]),
)
/** What Prometheus adds to every sample; of a label `job` of ours it makes `exported_job`. */
const ADDED = ['instance', 'job', 'le', 'exported_job']

/** A histogram's series have names of their own. */
const family = (series: string): string => (labelsOf.has(series) ? series : series.replace(/_(bucket|count|sum)$/, ''))

/** Every series that a text asks for, with the labels that it names. */
const askText = (text: string) =>
  [...text.matchAll(/(pixelmill_\w+)(?:\{([^}]*)\})?/g)].map(([, series = '', labels = '']) => ({
    name: family(series),
    labels: [...labels.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label ?? ''),
  }))

let server: SharedServer
before(async () => {
  server = await shareServer({ RENDERERS: '1' })
  const { post } = caller(server)
  await post('convert', { format: 'webp' }, { image: await solid(32, 24, '#336699').png().toBuffer() })
  await post('convert', { format: 'webp' }, { image: Buffer.from('no image') })
})
after(() => server[Symbol.asyncDispose]())

for (const [what, text] of [
  ['the alerts', alertRules],
  ['the dashboard', queries.join('\n')],
] as const) {
  test(`${what} ask only for metrics that a server has, by labels that they have`, async () => {
    const knownTexts = new Set([...(await metricsOf(server)).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
    const series = askText(text)
    assert.ok(series.length > 20)
    for (const { name, labels } of series) {
      assert.ok(knownTexts.has(name), name)
      for (const label of labels) assert.ok(labelsOf.get(name)?.includes(label) || ADDED.includes(label), `${name}{${label}}`)
    }
  })
}

test('after calls, the metrics of a server have values', async () => {
  const text = await metricsOf(server)
  for (const line of [
    /^pixelmill_errors_total\{error="invalid_image_type"\} [1-9]\d*$/m,
    /^pixelmill_http_requests_in_flight [01]$/m,
    /^pixelmill_build_info\{version="[^"]+",role="all",node="[^"]+"\} 1$/m,
    /^pixelmill_start_seconds [\d.]+$/m,
    /^pixelmill_present 1$/m,
    /^pixelmill_database_use_seconds_count [1-9]\d*$/m,
    /^pixelmill_database_wait_seconds_count [1-9]\d*$/m,
    /^pixelmill_disk_free_bytes [1-9]\d*$/m,
    /^pixelmill_render_queue_oldest_seconds\{lane="sync"\} 0$/m,
    /^pixelmill_renderers_configured 1$/m,
    /^pixelmill_job_last_success_timestamp_seconds\{task="void-stale-reservations"\} [1-9]\d*$/m,
  ])
    assert.match(text, line)
  for (const secret of [server.key, server.dir, '127.0.0.1']) assert.ok(!text.includes(secret))
})

test('the identifiers that alerts name are errors that there are', () => {
  const namedTexts = [...alertRules.matchAll(/error=~?"([^"]+)"/g)].flatMap(([, names = '']) => names.split('|'))
  assert.ok(namedTexts.length > 3)
  for (const name of namedTexts) assert.ok(Object.hasOwn(errors, name), name)
})

test('every alert says what is wrong and what to do, and leads to its place in the documentation', () => {
  const alerts = alertRules.split(/^ {6}- alert: /m).slice(1)
  assert.ok(alerts.length > 20)
  for (const alert of alerts) {
    const [name = ''] = alert.split('\n')
    assert.match(alert, /^ {10}summary: .+$/m, name)
    assert.match(alert, /^ {10}action: .+$/m, name)
    assert.ok(alert.includes(`runbook_url: docs/observability.md#${name.toLowerCase()}\n`), name)
    assert.match(page, new RegExp(`^### ${name}\n.{40}`, 'm'), name)
  }
})

test('the dashboard has the form that Grafana imports', () => {
  const ids = dashboard.panels.map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(
    dashboard.templating.list.map(({ name, type }) => [name, type]),
    [
      ['datasource', 'datasource'],
      ['instance', 'query'],
    ],
  )
  const takenTexts = new Set<string>()
  for (const { title, type, datasource, gridPos, targets } of dashboard.panels) {
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x++) {
      assert.ok(x < 24, title)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y++) {
        assert.ok(!takenTexts.has(`${x},${y}`), `${title} lies on another panel`)
        takenTexts.add(`${x},${y}`)
      }
    }
    if (type === 'row') continue
    assert.deepEqual(datasource, { type: 'prometheus', uid: '$datasource' }, title)
    assert.ok(targets && targets.length > 0, title)
  }
})
