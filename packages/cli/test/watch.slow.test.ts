import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { folderOf, jpeg, start } from './pixelmill.ts'

/** A busy machine starts renderers slowly, and changes settle for a second. */
const LONGEST_MS = 60_000

test('--watch converts what is added and changed, removes with --prune what goes, and ends by a signal with exit code 0', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/c.jpg': await jpeg() })
  const args = ['convert', 'in', '--out', 'out', '--format', 'webp', '--watch', '--prune', '--jobs', '1']
  const { child, ended } = start(args, { cwd: folder, env: { NO_COLOR: '1' } })
  t.after(() => child.kill('SIGKILL'))
  const untilIn = async (path: string, isThere: boolean) =>
    assert.ok(await until(async () => existsSync(join(folder, path)) === isThere, LONGEST_MS), path)
  await untilIn('out/a.webp', true)
  await untilIn('out/c.webp', true)
  await mkdir(join(folder, 'in/new/deep'), { recursive: true })
  await writeFile(join(folder, 'in/new/deep/b.jpg'), await jpeg())
  await untilIn('out/new/deep/b.webp', true)
  await writeFile(join(folder, 'in/c.jpg'), await jpeg(30, 20))
  // Read here, since libvips keeps what it has read of a file.
  const widthOf = async () => (await sharp(await readFile(join(folder, 'out/c.webp'))).metadata()).width
  assert.ok(await until(async () => (await widthOf()) === 30, LONGEST_MS))
  await rm(join(folder, 'in/a.jpg'))
  await untilIn('out/a.webp', false)
  child.kill('SIGTERM')
  const { code, errors } = await ended
  assert.equal(code, 0, errors)
  assert.match(errors, /^Watching for changes; Ctrl-C ends it\.$/m)
  assert.match(errors, /^in\/new\/deep\/b\.jpg: \S+ \S?B → /m)
  assert.match(errors, /^removed {2}out\/a\.webp$/m)
  assert.match(errors, /^converted +4 /m)
})

test('--watch tries what has failed again only when it has changed, and says at the end that something failed', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/bad.jpg': 'no image' })
  const args = ['convert', 'in', '--in-place', '--quality', '40', '--watch', '--json', '--jobs', '1']
  const { child, ended } = start(args, { cwd: folder })
  t.after(() => child.kill('SIGKILL'))
  let text = ''
  child.stdout?.on('data', (chunk) => {
    text += chunk
  })
  const countOf = (status: string) => text.split(`"status":"${status}"`).length - 1
  assert.ok(await until(async () => countOf('failed') === 1 && countOf('done') === 1, LONGEST_MS))
  // Rounds follow this one, since it is another image.
  await writeFile(join(folder, 'in/b.jpg'), await jpeg())
  assert.ok(await until(async () => countOf('done') === 2, LONGEST_MS))
  await writeFile(join(folder, 'in/bad.jpg'), 'still no image')
  assert.ok(await until(async () => countOf('failed') === 2, LONGEST_MS))
  child.kill('SIGINT')
  const end = await ended
  assert.deepEqual([end.code, countOf('failed'), countOf('done')], [1, 2, 2], end.errors)
})
