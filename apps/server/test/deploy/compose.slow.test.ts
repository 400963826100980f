import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../src/settings/index.ts'
import { composeFile, lacks, root, serviceOf, services, text } from './files.ts'

test('compose.yaml is as the Compose specification has it', { skip: lacks('check-jsonschema') }, () => {
  execFileSync('check-jsonschema', ['--builtin-schema', 'vendor.compose-spec', 'compose.yaml'], { cwd: root, stdio: 'pipe' })
})

const ours = ['api', 'worker', 'bucket']

test('what it sets are settings', () => {
  for (const name of ours)
    for (const setting of Object.keys(serviceOf(name).environment)) assert.ok(setting in settings, `${name}: ${setting}`)
  assert.deepEqual(
    ['api', 'worker'].map((name) => serviceOf(name).environment.ROLE),
    ['api', 'worker'],
  )
})

test('what it asks for is in the example, and what the example says is asked for or a setting', () => {
  const askedTexts = new Set([...text('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name))
  const saidTexts = [...text('deploy/compose.env.example').matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name = '']) => name)
  for (const name of saidTexts) assert.ok(askedTexts.has(name) || name in settings, name)
  // The others have a value in compose.yaml.
  const neededTexts = [...text('compose.yaml').matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name)
  for (const name of neededTexts) assert.ok(saidTexts.includes(name), name)
})

test('no service has more rights than it needs', () => {
  for (const [name, service] of Object.entries(services)) {
    assert.deepEqual(service.cap_drop, ['ALL'], name)
    assert.ok(service.security_opt.includes('no-new-privileges:true'), name)
    assert.ok('mem_limit' in service && 'restart' in service, name)
    // The store's image writes beside its data.
    assert.equal(service.read_only ?? false, name !== 'store', name)
  }
})

test('its files are there, and its ports agree', () => {
  const mountedTexts = services.balancer?.volumes.map((volume) => volume.split(':')[0] ?? '') ?? []
  const profiles = ours.flatMap((name) => serviceOf(name).security_opt).flatMap((word) => /^seccomp:(.*)/.exec(word)?.[1] ?? [])
  assert.ok(mountedTexts.length > 0 && profiles.length > 0)
  for (const path of [...mountedTexts, ...profiles]) assert.ok(existsSync(join(root, path)), path)
  const { PORT, METRICS_PORT } = serviceOf('api').environment
  assert.match(text('deploy/nginx.conf'), new RegExp(`set \\$servers api:${PORT};`))
  assert.notEqual(PORT, METRICS_PORT)
  assert.match(text('Dockerfile'), new RegExp(`^EXPOSE ${PORT}$`, 'm'))
})

test('the way to PostgreSQL and the store is theirs who need it', () => {
  const { networks } = composeFile() as { networks: { back: { internal: boolean } } }
  assert.equal(networks.back.internal, true)
  assert.ok(!serviceOf('balancer').networks.includes('back'))
  for (const name of ['postgres', 'store']) assert.deepEqual(serviceOf(name).networks, ['back'])
})
