import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Setting } from 'pixelmill/settings/setting'
import { z } from 'zod'
import { settings } from '../../src/settings/index.ts'
import { deployment, documents, lacks, manifests, ofKind, root, text } from './files.ts'

/** Not the kinds that Kubernetes itself has. */
const OTHERS = ['kustomization.yaml', 'monitoring.yaml', 'autoscaling.yaml']

test('every manifest is as Kubernetes has it, without a field that it does not know', {
  skip: lacks('kubernetes-validate'),
}, () => {
  const files = manifests.filter((name) => !OTHERS.includes(name)).map((name) => join(root, 'deploy/kubernetes', name))
  assert.ok(files.length >= 5)
  execFileSync('kubernetes-validate', ['--strict', ...files], { stdio: 'pipe' })
})

test('every manifest is listed, or the list says when it is wanted', () => {
  for (const name of manifests.filter((each) => each !== 'kustomization.yaml'))
    assert.match(text('deploy/kubernetes/kustomization.yaml'), new RegExp(`^#? *- ${name.replace('.example', '')}$`, 'm'), name)
})

const data = z.object({
  data: z.record(z.string(), z.string()).optional(),
  stringData: z.record(z.string(), z.string()).optional(),
})
const rows: Readonly<Record<string, Setting>> = settings

test('what they set are settings, and the secret ones are in the Secret', () => {
  const open = data.parse(documents('settings.yaml')[0]).data ?? {}
  const hiddenValue = data.parse(documents('secret.example.yaml')[0]).stringData ?? {}
  for (const name of [...Object.keys(open), ...Object.keys(hiddenValue)]) assert.ok(name in settings, name)
  for (const name of Object.keys(open)) assert.notEqual(rows[name]?.secret, true, name)
  assert.ok('DATABASE_URL' in hiddenValue)
  for (const name of ['api', 'worker']) {
    const [{ env, ports }] = podOf(name).containers
    assert.deepEqual(env, [{ name: 'ROLE', value: name }])
    for (const { name: port, containerPort } of ports)
      assert.equal(String(containerPort), open[port === 'http' ? 'PORT' : 'METRICS_PORT'], port)
  }
})

const podOf = (name: string) => deployment.parse(ofKind(`${name}.yaml`, 'Deployment')[0]).spec.template.spec

test('pods have no right too many', () => {
  for (const name of ['api', 'worker']) {
    const { containers, securityContext } = podOf(name)
    assert.deepEqual(containers[0].securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.equal(securityContext.runAsNonRoot, true)
  }
})

const policies = z.array(z.strictObject({ type: z.enum(['Pods', 'Percent']), value: z.int(), periodSeconds: z.int() }))
const rules = z.strictObject({ stabilizationWindowSeconds: z.int().max(3_600), policies })
const triggers = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('prometheus'),
    metadata: z.strictObject({ serverAddress: z.url(), query: z.string(), threshold: z.string() }),
  }),
  z.strictObject({
    type: z.literal('cpu'),
    metricType: z.literal('Utilization'),
    metadata: z.strictObject({ value: z.string() }),
  }),
  z.strictObject({
    type: z.literal('postgresql'),
    authenticationRef: z.strictObject({ name: z.string() }),
    metadata: z.strictObject({ query: z.string(), targetQueryValue: z.string(), activationTargetQueryValue: z.string() }),
  }),
])
/** The fields of keda.sh/v1alpha1 that are used: KEDA takes all values of a trigger's metadata as text. */
const scaler = z.looseObject({
  apiVersion: z.literal('keda.sh/v1alpha1'),
  spec: z.strictObject({
    scaleTargetRef: z.strictObject({ name: z.string() }),
    minReplicaCount: z.int(),
    maxReplicaCount: z.int(),
    pollingInterval: z.int(),
    cooldownPeriod: z.int().optional(),
    triggers: z.array(triggers),
    advanced: z.strictObject({
      horizontalPodAutoscalerConfig: z.strictObject({
        behavior: z.strictObject({ scaleUp: rules.optional(), scaleDown: rules.optional() }),
      }),
    }),
  }),
})
const authentication = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.strictObject({
    secretTargetRef: z.tuple([z.strictObject({ parameter: z.literal('connection'), name: z.string(), key: z.string() })]),
  }),
})

test('pods are scaled by what Pixelmill tells, and workers from none', () => {
  const sources = globSync('apps/server/src/metrics/*.ts', { cwd: root }).map((path) => readFileSync(join(root, path), 'utf8'))
  const [api, worker, ...others] = ofKind('autoscaling.yaml', 'ScaledObject').map((document) => scaler.parse(document).spec)
  assert.ok(api && worker)
  assert.deepEqual(others, [])
  assert.deepEqual([api.scaleTargetRef.name, worker.scaleTargetRef.name], ['pixelmill-api', 'pixelmill-worker'])
  // No scaler by CPU can start the first pod.
  assert.ok(api.minReplicaCount >= 1)
  assert.equal(worker.minReplicaCount, 0)
  for (const trigger of [...api.triggers, ...worker.triggers]) {
    if (trigger.type === 'prometheus') {
      const [, name = ''] = /pixelmill_(\w+)/.exec(trigger.metadata.query) ?? []
      assert.ok(
        sources.some((source) => source.includes(`'${name}'`)),
        name,
      )
    }
    // apps/server/src/database/test/pixels-waiting.test.ts runs the query.
    if (trigger.type === 'postgresql') {
      const [foundItem] = ofKind('autoscaling.yaml', 'TriggerAuthentication').map((document) => authentication.parse(document))
      assert.equal(foundItem?.metadata.name, trigger.authenticationRef.name)
      const [{ name, key }] = foundItem?.spec.secretTargetRef ?? assert.fail()
      assert.equal(documents('secret.example.yaml')[0]?.metadata?.name, name)
      assert.ok(key in (data.parse(documents('secret.example.yaml')[0]).stringData ?? {}))
    }
  }
})
