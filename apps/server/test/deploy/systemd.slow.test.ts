import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lacks, root, text } from './files.ts'

const UNITS = ['pixelmill.service', 'pixelmill-worker@.service']
const unit = (name: string) => text(`deploy/systemd/${name}`)
const program = (name: string) => /^ExecStart=(.*)$/m.exec(unit(name))?.[1] ?? assert.fail(name)

test('the units start what `npm start` starts, with the same options', () => {
  const { scripts } = JSON.parse(text('package.json')) as { scripts: { start: string } }
  const options = scripts.start.replace(/^exec node /, '')
  for (const name of UNITS) assert.ok(program(name).endsWith(`/opt/pixelmill/node_modules/.bin/node ${options}`), name)
})

test('a worker differs from the other unit in what is its own, and in nothing else', () => {
  const lines = (name: string) =>
    unit(name)
      .split('\n')
      .filter((line) => !/^(#|Description=|After=|ExecStart=)/.test(line))
  assert.deepEqual(lines('pixelmill-worker@.service'), lines('pixelmill.service'))
  assert.match(program('pixelmill-worker@.service'), /^\/usr\/bin\/env ROLE=worker METRICS_PORT=946%i /)
})

/** The exposure that `systemd-analyze security` counts, from 0 to 10; what renderers need of namespaces is a good part of it. */
const MOST_EXPOSED = 2.5

for (const name of UNITS) {
  test(`systemd understands ${name}, and finds it closed`, { skip: lacks('systemd-analyze') }, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'pixelmill-units-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const path = join(folder, name)
    await cp(join(root, 'deploy/systemd', name), path)
    // It looks whether the program is there, which is not installed on this machine.
    await writeFile(
      path,
      (await readFile(path, 'utf8')).replaceAll(/\/opt\/pixelmill\/node_modules\/\.bin\/node/g, process.execPath),
    )
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', path], { encoding: 'utf8' })
    assert.deepEqual([status, stderr.split('\n').filter((line) => line.includes('pixelmill'))], [0, []])
    const toldText = execFileSync('systemd-analyze', ['security', '--offline=true', path], { encoding: 'utf8' })
    const [, exposure] = /Overall exposure level for \S+: ([\d.]+)/.exec(toldText) ?? []
    assert.ok(Number(exposure) <= MOST_EXPOSED, toldText)
  })
}
