import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, link, lstat, readFile, stat, symlink, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { convert, folderOf, jpeg, PROGRAM, pixelmill } from 'pixelmill/test/pixelmill'
import sharp from 'sharp'
import { lacks } from '../deploy/files.ts'

/** What users of other commands expect of sources and targets. */

test('a folder is meant by its name, though that has the characters of a pattern', async (t) => {
  const folder = await folderOf(t, { 'photos [2026]/a.jpg': await jpeg(), 'photos [2026]/b/c.jpg': await jpeg() })
  const ran = await convert(folder, 'photos [2026]/**/*.jpg', '--out', 'out', '--format', 'png')
  assert.equal(ran.code, 0, ran.errors)
  assert.deepEqual(
    ran
      .lines()
      .map(({ target }) => target)
      .toSorted(),
    ['out/a.png', 'out/b/c.png'],
  )
})

test('a pattern that finds no image starts nothing, and exits 2', async (t) => {
  const folder = await folderOf(t, { 'in/a.txt': 'x' })
  for (const pattern of ['in/*.jpg', 'in/*', 'none/[a-z].png']) {
    const ran = await convert(folder, pattern, '--out', 'out')
    assert.deepEqual([ran.code, ran.errors], [2, `${pattern}: no image matches the pattern.\n`])
  }
})

test('the name of a file does not say another format than is asked for', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg() })
  const ran = await pixelmill(['convert', 'a.jpg', '--format', 'webp', '--out', 'x.png'], { cwd: folder })
  assert.equal(ran.code, 2)
  assert.match(ran.errors, /^x\.png is not the name of a WebP file: end it with \.webp/)
  await assert.rejects(stat(join(folder, 'x.png')))
  const jpe = await pixelmill(['convert', 'a.jpg', '--format', 'jpeg', '--out', 'x.JPE'], { cwd: folder })
  assert.equal(jpe.code, 0, jpe.errors)
})

test('a single file is converted again only when it, its target or the recipe has changed', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg() })
  const run = async (...more: readonly string[]) => {
    const ran = await convert(folder, 'a.jpg', '--out', 'b.webp', ...more)
    assert.equal(ran.code, 0, ran.errors)
    return ran.lines()[0]?.status
  }
  assert.deepEqual([await run(), await run()], ['done', 'unchanged'])
  assert.deepEqual([await run('--quality', '40'), await run('--quality', '40'), await run()], ['done', 'unchanged', 'done'])
  const later = new Date(Date.now() + 60_000)
  await utimes(join(folder, 'a.jpg'), later, later)
  assert.deepEqual([await run(), await run()], ['done', 'unchanged'])
  await utimes(join(folder, 'b.webp'), later, later)
  assert.deepEqual([await run(), await run()], ['done', 'unchanged'])
})

test('in place, images with several names stay as they are, and say why', async (t) => {
  const source = await jpeg()
  const folder = await folderOf(t, { 'in/a.jpg': source, 'in/b.jpg': source, 'elsewhere.jpg': source })
  await link(join(folder, 'in/b.jpg'), join(folder, 'other-name.jpg'))
  await symlink('../elsewhere.jpg', join(folder, 'in/c.jpg'))
  const ran = await convert(folder, 'in', '--in-place', '--quality', '30')
  assert.equal(ran.code, 1, ran.errors)
  const outcomes = Object.fromEntries(ran.lines().map((line) => [line.source, line.error?.code ?? line.status]))
  assert.deepEqual(outcomes, { 'in/a.jpg': 'done', 'in/b.jpg': 'linked', 'in/c.jpg': 'linked' })
  assert.ok((await lstat(join(folder, 'in/c.jpg'))).isSymbolicLink())
  for (const same of ['in/b.jpg', 'other-name.jpg', 'elsewhere.jpg'])
    assert.ok((await readFile(join(folder, same))).equals(source), same)
})

test('in place, an image keeps its permissions and its owner', { skip: process.geteuid?.() !== 0 && 'needs root' }, async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg() })
  const image = join(folder, 'in/a.jpg')
  await chown(image, 1_234, 2_345)
  await chmod(image, 0o640)
  const ran = await convert(folder, 'in', '--in-place', '--format', 'webp')
  assert.equal(ran.code, 0, ran.errors)
  const { uid, gid, mode } = await stat(join(folder, 'in/a.webp'))
  assert.deepEqual([uid, gid, mode & 0o777], [1_234, 2_345, 0o640])
})

test('a target that can neither be found nor made ends the run at once', { skip: process.platform !== 'linux' }, async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'file.txt': 'x' })
  for (const out of ['/proc/1/x/y', 'file.txt/y']) {
    const ran = await convert(folder, 'in', '--out', out)
    assert.equal(ran.code, 2, ran.errors)
    assert.match(ran.errors, /cannot be written/)
  }
})

test('what would let a name look like another is shown as an escape', async (t) => {
  const folder = await folderOf(t, { 'in/a\u202egpj.exe.jpg': 'no image' })
  const ran = await pixelmill(['convert', 'in', '--out', 'out'], { cwd: folder })
  assert.equal(ran.code, 1)
  assert.match(ran.errors, /a\\u202egpj\.exe\.jpg/)
  assert.ok(!ran.errors.includes('\u202e'))
})

test('the folder of a single target is made', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg(80, 50) })
  const ran = await convert(folder, 'a.jpg', '--out', 'deep/er/b.png', '--width', '40')
  assert.equal(ran.code, 0, ran.errors)
  const { format, width } = await sharp(join(folder, 'deep/er/b.png')).metadata()
  assert.deepEqual([format, width], ['png', 40])
})

test('under Deno the command runs on its own Node, or says which permissions it needs', { skip: lacks('deno') }, async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg(80, 50) })
  const env = { PATH: process.env.PATH, HOME: folder, XDG_STATE_HOME: folder, DENO_NO_UPDATE_CHECK: '1' }
  const deno = (...args: readonly string[]) => spawnSync('deno', ['run', ...args], { cwd: folder, env, encoding: 'utf8' })
  const ran = deno('--allow-all', PROGRAM, 'convert', 'a.jpg', '--out', 'b.png')
  assert.equal(ran.status, 0, ran.stderr)
  assert.equal((await sharp(join(folder, 'b.png')).metadata()).width, 80)
  const refusedReturns = deno('--no-prompt', PROGRAM, '--version')
  assert.deepEqual([refusedReturns.status, refusedReturns.stdout], [1, ''])
  assert.match(refusedReturns.stderr, /^Under Deno, Pixelmill needs the permissions .*: deno run --allow-all\.\n$/)
})
