import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { limits } from '@pixelmill/codecs/contract/limits'
import { z } from 'zod'
import { composeFile, deployment, documents, ofKind, root, serviceOf, text } from './files.ts'

/** What the manifests, units and compose.yaml say about versions, places and stopping. */

const { requests, rest } = limits.shutdown
const podOf = (name: string) => deployment.parse(ofKind(`${name}.yaml`, 'Deployment')[0]).spec.template.spec
const kubernetes = z.object({ data: z.object({ SHUTDOWN_DELAY_S: z.coerce.number() }) }).parse(documents('settings.yaml')[0]).data

const numberIn = (file: string, pattern: RegExp): number =>
  Number(pattern.exec(text(file))?.[1] ?? assert.fail(`${file} ${pattern}`))
const unitDelay = (file: string) => numberIn(file, /^Environment=SHUTDOWN_DELAY_S=(\d+)$/m)
const graceOf = z.looseObject({
  services: z.object({
    api: z.looseObject({ stop_grace_period: z.string() }),
    worker: z.looseObject({ stop_grace_period: z.string() }),
  }),
})

/** What stops: the delay, and how long it is waited for before it is killed. */
const stops: readonly (readonly [what: string, delay: number, grace: number])[] = [
  ['api.yaml', kubernetes.SHUTDOWN_DELAY_S, podOf('api').terminationGracePeriodSeconds],
  // It serves no requests, and has no delay.
  ['worker.yaml', 0, podOf('worker').terminationGracePeriodSeconds],
  ...(['api', 'worker'] as const).map((name) => {
    const grace = graceOf.parse(composeFile()).services[name].stop_grace_period
    return [`compose.yaml ${name}`, Number(serviceOf(name).environment.SHUTDOWN_DELAY_S), Number.parseInt(grace, 10)] as const
  }),
  ...['deploy/systemd/pixelmill.service', 'deploy/systemd/pixelmill-worker@.service'].map(
    (file) => [file, unitDelay(file), numberIn(file, /^TimeoutStopSec=(\d+)s$/m)] as const,
  ),
  ['docker run', 0, numberIn('docs/deployment.md', /--stop-timeout (\d+)/)],
]
for (const [what, delay, grace] of stops) {
  test(`${what} waits for the delay, for requests in progress and for final writes`, () => {
    assert.ok(grace >= delay + requests + rest, `${grace} of ${delay} + ${requests} + ${rest}`)
    if (!what.includes('worker.yaml') && what !== 'docker run') assert.equal(delay, 5)
  })
}

test('the documents say the seconds that the code has', () => {
  const toldText = text('docs/deployment.md')
  assert.ok(toldText.includes(`requests in progress have ${requests} s`))
  assert.ok(toldText.includes(`last writes have ${rest} s`))
  assert.ok(toldText.includes(`\`SHUTDOWN_DELAY_S\` and ${requests + rest} s after the signal`))
  assert.ok(text('deploy/systemd/pixelmill.service').includes(`within SHUTDOWN_DELAY_S and ${requests + rest} s`))
})

test('every image of ours has the version of the package', () => {
  const { version } = JSON.parse(text('package.json')) as { version: string }
  const files = ['compose.yaml', ...globSync('deploy/kubernetes/**/*.yaml', { cwd: root })]
  const images = files.flatMap((file) => [...text(file).matchAll(/image: (pixelmill\S*)$/gm)].map(([, image]) => image))
  assert.ok(images.length >= 6)
  for (const image of images) assert.match(image ?? '', new RegExp(`^pixelmill(-ray)?:${version}$`))
  assert.ok(text('deploy/kubernetes/kustomization.yaml').includes(`newTag: ${version}\n`))
})

test('pods are spread over machines and zones, and ask for the disk of their volumes', () => {
  for (const name of ['api', 'worker']) {
    const { containers, topologySpreadConstraints } = podOf(name)
    const keys = topologySpreadConstraints.map(({ topologyKey }) => topologyKey)
    assert.deepEqual(keys, ['kubernetes.io/hostname', 'topology.kubernetes.io/zone'], name)
    const volumes = [...text(`deploy/kubernetes/${name}.yaml`).matchAll(/sizeLimit: (\d+)(Mi|Gi)/g)]
    const mebibytes = volumes.map(([, number, unit]) => Number(number) * (unit === 'Gi' ? 1_024 : 1))
    const [{ resources }] = containers
    const askedText = /^(\d+)Mi$/.exec(resources.requests['ephemeral-storage'] ?? '')?.[1]
    assert.ok(mebibytes.length === 2 && Number(askedText) >= mebibytes.reduce((sum, each) => sum + each), name)
    assert.ok('ephemeral-storage' in resources.limits, name)
  }
  for (const file of globSync('deploy/kubernetes/engines/*.yaml', { cwd: root }))
    for (const [line] of text(file).matchAll(/^ +requests: .*$/gm)) assert.match(line, /ephemeral-storage: \d/, file)
})
