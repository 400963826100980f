import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { until } from '@pixelmill/engine/test/support/until'
import { run } from './support/server.ts'
import { shareServer } from './support/shared-server.ts'
import { refusedStart } from './support/start.ts'

const folder = await mkdtemp(join(tmpdir(), 'pixelmill-start-'))
after(() => rm(folder, { recursive: true, force: true }))

const wrong: readonly (readonly [settings: Record<string, string>, message: RegExp])[] = [
  [{ PORT: 'abc' }, /PORT must be a whole number from 0 to 65535/],
  [{ DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/x' }, /127\.0\.0\.1:1/],
]
for (const [settings, message] of wrong) {
  test(`${JSON.stringify(settings)}: one clear line and exit code 1`, async () => {
    await refusedStart({ DATA_DIR: join(folder, 'wrong'), ...settings }, message)
  })
}

test('the first start prints a key and a curl line that works; the next one, on a port that is taken, prints neither and says so', {
  skip: !existsSync('/usr/bin/curl') && 'no curl',
}, async () => {
  const dir = join(folder, 'first')
  const first = run({ DATA_DIR: dir, RENDERERS: '1' })
  assert.ok(await until(async () => first.output().includes('curl '), 60_000), first.output())
  const line = /curl -f .*convert/.exec(first.output())?.[0] ?? ''
  const key = /sk_[A-Za-z0-9]{48}/.exec(line)?.[0] ?? ''
  assert.ok(first.output().includes(`API key   ${key}`))
  await promisify(execFile)('sh', ['-c', line.replace('-o photo.webp', `-o ${folder}/photo.webp`)])
  assert.ok(existsSync(join(folder, 'photo.webp')))
  const again = run({ DATA_DIR: dir, RENDERERS: '1' })
  assert.equal((await again.exited).code, 1)
  assert.match(again.output(), /already running/)
  first.child.kill('SIGTERM')
  assert.equal((await first.exited).code, 0)
  await using server = await shareServer({ RENDERERS: '1' })
  const takenProcess = run({ DATA_DIR: dir, RENDERERS: '1', PORT: new URL(server.url).port })
  assert.equal((await takenProcess.exited).code, 1)
  assert.match(takenProcess.output(), /cannot start: Port \d+ on 127\.0\.0\.1 is in use/)
  assert.doesNotMatch(takenProcess.output(), /sk_[A-Za-z0-9]{48}|password/)
  assert.equal((await fetch(`${server.url}/readyz`)).status, 200)
})
