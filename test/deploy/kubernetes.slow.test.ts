import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { z } from 'zod'
import { settings } from '../../src/settings/index.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { deployment, documents, lacks, manifests, ofKind, root, text } from './files.ts'

/** Not the kinds that Kubernetes itself has. */
const OTHERS = ['kustomization.yaml', 'monitoring.yaml', 'prometheus-adapter.yaml']

test('every manifest is as Kubernetes has it, without a field that it does not know', {
  skip: lacks('kubernetes-validate'),
}, () => {
  const files = manifests.filter((name) => !OTHERS.includes(name)).map((name) => join(root, 'deploy/kubernetes', name))
  assert.ok(files.length >= 5)
  execFileSync('kubernetes-validate', ['--strict', ...files], { stdio: 'pipe' })
})

test('every manifest is listed, or the list says when it is wanted', () => {
  for (const name of manifests.filter((each) => !['kustomization.yaml', 'prometheus-adapter.yaml'].includes(each)))
    assert.match(text('deploy/kubernetes/kustomization.yaml'), new RegExp(`^#? *- ${name.replace('.example', '')}$`, 'm'), name)
})

const data = z.object({
  data: z.record(z.string(), z.string()).optional(),
  stringData: z.record(z.string(), z.string()).optional(),
})
const rows: Readonly<Record<string, Setting>> = settings

test('what they set are settings, and the secret ones are in the Secret', () => {
  const open = data.parse(documents('settings.yaml')[0]).data ?? {}
  const hidden = data.parse(documents('secret.example.yaml')[0]).stringData ?? {}
  for (const name of [...Object.keys(open), ...Object.keys(hidden)]) assert.ok(name in settings, name)
  for (const name of Object.keys(open)) assert.notEqual(rows[name]?.secret, true, name)
  assert.ok('DATABASE_URL' in hidden)
  for (const name of ['api', 'worker']) {
    const [{ env, ports }] = podOf(name).containers
    assert.deepEqual(env, [{ name: 'ROLE', value: name }])
    for (const { name: port, containerPort } of ports)
      assert.equal(String(containerPort), open[port === 'http' ? 'PORT' : 'METRICS_PORT'], port)
  }
})

const podOf = (name: string) => deployment.parse(ofKind(`${name}.yaml`, 'Deployment')[0]).spec.template.spec

test('pods have no right too many, and time enough to stop', () => {
  for (const name of ['api', 'worker']) {
    const { containers, securityContext, terminationGracePeriodSeconds } = podOf(name)
    assert.deepEqual(containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.equal(securityContext.runAsNonRoot, true)
    // Contract: running requests may take 30 s.
    assert.ok(terminationGracePeriodSeconds > 35, name)
  }
})

const metric = z.object({ metric: z.object({ name: z.string() }) })
const scaler = z.looseObject({
  spec: z.looseObject({
    scaleTargetRef: z.looseObject({ kind: z.literal('Deployment'), name: z.string() }),
    metrics: z.array(z.looseObject({ pods: metric.optional(), external: metric.optional() })),
  }),
})
const rule = z.looseObject({ seriesQuery: z.string(), name: z.object({ as: z.string() }) })
const adapter = z.object({ rules: z.object({ custom: z.array(rule), external: z.array(rule) }) })

test('what pods are counted by is told by Pixelmill, and handed on by the adapter', () => {
  const { rules } = adapter.parse(parse(text('deploy/kubernetes/prometheus-adapter.yaml')))
  const sources = globSync('src/metrics/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  const scalers = ofKind('autoscaling.yaml', 'HorizontalPodAutoscaler').map((document) => scaler.parse(document))
  assert.equal(scalers.length, 2)
  for (const { spec } of scalers) {
    assert.ok(['api', 'worker'].some((name) => `pixelmill-${name}` === spec.scaleTargetRef.name))
    const names = {
      custom: spec.metrics.flatMap(({ pods }) => pods ?? []),
      external: spec.metrics.flatMap((each) => each.external ?? []),
    }
    for (const kind of ['custom', 'external'] as const) {
      for (const { metric: asked } of names[kind]) {
        const found = rules[kind].find(({ name }) => name.as === asked.name)
        assert.ok(found?.seriesQuery.startsWith(asked.name), asked.name)
        const own = asked.name.replace(/^pixelmill_/, '')
        assert.ok(
          sources.some((source) => source.includes(`'${own}'`) || source.includes(`'${asked.name}'`)),
          asked.name,
        )
      }
    }
  }
})
