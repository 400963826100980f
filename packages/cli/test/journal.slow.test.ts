import assert from 'node:assert/strict'
import { chmodSync, existsSync, readdirSync, statSync, utimesSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { until } from '@pixelmill/engine/test/support/until'
import sharp from 'sharp'
import { openJournal } from '../src/convert/journal.ts'
import { convert, counts, folderOf, jpeg, pixelmill, start } from './pixelmill.ts'
import { fillUp, mountSmallDisk, noSmallDisk } from './support/small-disk.ts'

const pictures = await Promise.all([jpeg(), jpeg(), jpeg()])
const three = Object.fromEntries(pictures.map((bytes, nth) => [`in/${nth}.jpg`, bytes]))
const WEBP = ['in', '--out', 'out', '--format', 'webp']
/** A renderer would need this address space, and could not start. */
const NO_RENDERER = { RENDER_TIMEOUT_S: '1', HEIC: 'off' }

/** Sets the time of a file's last change to another, as after copying. */
const touch = (path: string) => utimesSync(path, new Date(), new Date(statSync(path).mtimeMs + 5_000))

test('a run does only what has changed: content, recipe, names and results that are gone', async (t) => {
  const folder = await folderOf(t, three)
  const run = (...more: readonly string[]) => convert(folder, ...WEBP, ...more)
  assert.deepEqual(counts(await run()), { done: 3 })
  const again = await run()
  assert.deepEqual([again.code, counts(again)], [0, { unchanged: 3 }])
  const [line] = again.lines()
  assert.deepEqual([line?.inputBytes, line?.outputBytes], [pictures[0]?.length, statSync(join(folder, 'out/0.webp')).size])

  touch(join(folder, 'in/0.jpg'))
  assert.deepEqual(counts(await run()), { unchanged: 3 }, 'it was touched')
  await writeFile(join(folder, 'in/1.jpg'), await jpeg(61))
  await rm(join(folder, 'out/2.webp'))
  const some = await run()
  assert.deepEqual(
    some
      .lines()
      .map(({ source, status }) => `${source} ${status}`)
      .sort(),
    ['in/0.jpg unchanged', 'in/1.jpg done', 'in/2.jpg done'],
  )
  assert.equal((await sharp(join(folder, 'out/1.webp')).metadata()).width, 61)
  await writeFile(join(folder, 'out/0.webp'), 'changed by others')
  assert.deepEqual(counts(await run()), { done: 1, unchanged: 2 })

  assert.deepEqual(counts(await run('--quality', '30')), { done: 3 }, 'another recipe')
  assert.deepEqual(counts(await run('--quality', '30')), { unchanged: 3 })
  const options = ['--quality', '30', '--name', '{stem}-x.{ext}']
  assert.deepEqual(counts(await run(...options)), { done: 3 }, 'other names')
  assert.deepEqual(counts(await run(...options)), { unchanged: 3 })
  assert.ok(existsSync(join(folder, 'out/0-x.webp')))
})

test('a source that was touched after it had changed is not taken for what another recipe has made of it before', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': pictures[0] ?? '' })
  const small = () => convert(folder, 'in', '--out', 'out', '--width', '20', '--name', 'small/{stem}.{ext}')
  const large = () => convert(folder, 'in', '--out', 'out', '--width', '40', '--name', 'large/{stem}.{ext}')
  for (const run of [small, large]) assert.deepEqual(counts(await run()), { done: 1 })
  await writeFile(join(folder, 'in/a.jpg'), await jpeg(60, 60))
  assert.deepEqual(counts(await small()), { done: 1 })
  touch(join(folder, 'in/a.jpg'))
  assert.deepEqual(counts(await small()), { unchanged: 1 })
  assert.deepEqual(counts(await large()), { done: 1 })
  assert.equal((await sharp(join(folder, 'out/large/a.jpg')).metadata()).height, 40)
})

test('an unchanged run starts no renderers', async (t) => {
  const folder = await folderOf(t, three)
  await convert(folder, ...WEBP)
  // No renderer could start without programs on its path.
  const { code, errors } = await pixelmill(['convert', ...WEBP], { cwd: folder, env: { ...NO_RENDERER, PATH: '/nowhere' } })
  assert.equal(code, 0, errors)
  assert.match(errors, /^unchanged {2}3\nin all/)
})

test('the same content is rendered once where names are made of it', async (t) => {
  const [content = ''] = pictures
  const folder = await folderOf(t, { 'in/a.jpg': content, 'in/b.jpg': content })
  const options = ['in', '--out', 'out', '--name', '{id}.{ext}']
  assert.deepEqual(counts(await convert(folder, ...options)), { done: 2 })
  assert.deepEqual(counts(await convert(folder, ...options)), { unchanged: 2 })
  assert.equal(readdirSync(join(folder, 'out')).filter((name) => /^[0-9a-f]{64}\.jpg$/.test(name)).length, 1)
})

test('a file that Pixelmill has not written is not replaced, unless that is asked for', async (t) => {
  const folder = await folderOf(t, { ...three, 'out/0.webp': 'mine' })
  const ran = await convert(folder, ...WEBP)
  assert.deepEqual([ran.code, counts(ran)], [1, { done: 2, failed: 1 }])
  assert.deepEqual(ran.lines().find(({ error }) => error)?.error?.code, 'target_exists')
  assert.equal(await readFile(join(folder, 'out/0.webp'), 'utf8'), 'mine')
  const answer = await convert(folder, ...WEBP, '--overwrite')
  assert.deepEqual([answer.code, counts(answer)], [0, { done: 1, unchanged: 2 }])
  assert.equal((await sharp(join(folder, 'out/0.webp')).metadata()).format, 'webp')
})

test('of two runs into one target the second refuses, and the first is not harmed', { skip: skipByDay }, async (t) => {
  const files = Object.fromEntries(pictures.concat(pictures, pictures, pictures).map((bytes, nth) => [`in/${nth}.jpg`, bytes]))
  const folder = await folderOf(t, files)
  const first = start(['convert', ...WEBP, '--jobs', '1', '--json'], { cwd: folder })
  assert.ok(await until(async () => existsSync(join(folder, 'out/0.webp'))))
  first.child.kill('SIGSTOP')
  const second = await convert(folder, ...WEBP, '--quality', '10')
  first.child.kill('SIGCONT')
  assert.deepEqual([second.code, second.output.length], [2, 0])
  assert.match(second.errors, /^stopped {2}Another run is converting into out: wait for its end, or name another target\.\n$/)
  const end = await first.ended
  assert.deepEqual([end.code, counts(end)], [0, { done: 12 }])
  assert.deepEqual(counts(await convert(folder, ...WEBP)), { unchanged: 12 })
})

test('two folders with files of one name do not overwrite each other', { skip: skipByDay }, async (t) => {
  const [one = '', other = ''] = pictures
  const folder = await folderOf(t, { 'x/a.jpg': one, 'y/a.jpg': other })
  const both = ['x', 'y', '--out', 'out', '--format', 'webp']
  for (const status of ['done', 'unchanged'] as const) {
    const ran = await convert(folder, ...both)
    assert.equal(ran.code, 1)
    const [x, y] = ran.lines().toSorted((a, b) => (a.source < b.source ? -1 : 1))
    assert.deepEqual([x?.status, y?.status, y?.error?.code], [status, 'failed', 'target_taken'])
  }
})

test('in place and in the same format: modes stay, a second run does nothing, nor does one after a touch', async (t) => {
  const folder = await folderOf(t, three)
  chmodSync(join(folder, 'in/0.jpg'), 0o640)
  const run = () => convert(folder, 'in', '--in-place', '--width', '20')
  assert.deepEqual(counts(await run()), { done: 3 })
  assert.equal(statSync(join(folder, 'in/0.jpg')).mode & 0o777, 0o640)
  assert.equal((await sharp(join(folder, 'in/0.jpg')).metadata()).width, 20)
  const before = await readFile(join(folder, 'in/0.jpg'))
  assert.deepEqual(counts(await run()), { unchanged: 3 })
  touch(join(folder, 'in/0.jpg'))
  assert.deepEqual(counts(await run()), { unchanged: 3 })
  assert.deepEqual(counts(await run()), { unchanged: 3 })
  // However the place is written, it is one.
  assert.deepEqual(counts(await convert(folder, './in/0.jpg', 'in/1.jpg', 'in/', '--in-place', '--width', '20')), {
    unchanged: 5,
  })
  assert.deepEqual(await readFile(join(folder, 'in/0.jpg')), before)
})

test('in place and in another format: the old file goes when the new one is there, and no other file is replaced', {
  skip: skipByDay,
}, async (t) => {
  const folder = await folderOf(t, { ...three, 'in/1.webp': await sharp(pictures[1]).webp().toBuffer() })
  const before = await readFile(join(folder, 'in/1.webp'))
  const run = () => convert(folder, 'in', '--in-place', '--format', 'webp', '--quality', '60')
  const ran = await run()
  assert.deepEqual([ran.code, counts(ran)], [1, { done: 3, failed: 1 }])
  assert.deepEqual(ran.lines().find(({ error }) => error)?.error?.code, 'target_exists')
  const images = () => readdirSync(join(folder, 'in')).filter((name) => !name.startsWith('.'))
  assert.deepEqual(images(), ['0.webp', '1.jpg', '1.webp', '2.webp'])
  assert.notDeepEqual(await readFile(join(folder, 'in/1.webp')), before)
  await rm(join(folder, 'in/1.jpg'))
  assert.deepEqual(counts(await run()), { unchanged: 3 })
  assert.deepEqual(images(), ['0.webp', '1.webp', '2.webp'])
})

test('a journal that finds no space ends the run', { skip: noSmallDisk() }, (t) => {
  const disk = mountSmallDisk(2)
  t.after(() => disk.remove())
  using journal = openJournal(join(disk.path, 'journal.db'), 'web')
  fillUp(join(disk.path, '.filler'))
  const version = { bytes: 1, tag: 'x'.repeat(10_000) }
  const write = (result: string) =>
    journal.write({
      result,
      resultVersion: version,
      source: result,
      sourceVersion: version,
      sha256: Buffer.alloc(32),
      recipe: '',
    })
  const message = 'No space is left in web (SQLITE_FULL).'
  assert.throws(() => Array.from({ length: 100 }, (_, nth) => write(String(nth))), { name: 'RunFailure', message })
})
