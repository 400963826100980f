import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'

const root = join(import.meta.dirname, '../../../..')
const dashboard = JSON.parse(readFileSync(join(root, 'monitoring/grafana-dashboard.json'), 'utf8')) as {
  readonly panels: readonly { readonly targets?: readonly { readonly expr: string }[] }[]
}
const queries = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))

const skip = spawnSync('promtool', ['--version']).error !== undefined && 'promtool is not installed'

function promtool(...args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8', cwd: join(root, 'monitoring') })
  assert.equal(status, 0, stdout + stderr)
}

test('Prometheus accepts the alerts, which fire when they should and not before', { skip }, () => {
  promtool('check', 'rules', 'alerts.yaml')
  promtool('test', 'rules', 'alerts.test.yaml')
})

test('Prometheus accepts every query of the dashboard', { skip }, async (t) => {
  const rules = queries.map((expr, at) => {
    const plain = expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*')
    return { record: `panel:query_${at}`, expr: plain }
  })
  const file = join(await tempFolder(t), 'queries.yaml')
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ groups: [{ name: 'dashboard', rules }] }))
  promtool('check', 'rules', file)
})
