import assert from 'node:assert/strict'
import { readdir, readFile, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { counts, folderOf, pixelmill } from './pixelmill.ts'

const large = await photo(300, 200).jpeg({ quality: 98 }).toBuffer()
const small = await sharp(large).jpeg({ quality: 20, mozjpeg: true }).toBuffer()
const graphic = await sharp({ create: { width: 80, height: 60, channels: 3, background: '#0a0' } })
  .png({ compressionLevel: 0 })
  .toBuffer()

const optimize = (cwd: string, ...args: readonly string[]) => pixelmill(['optimize', '--json', '--jobs', '1', ...args], { cwd })

test('optimize makes files smaller in their own formats and in place, never larger, and then has nothing to do', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': large, 'in/b.jpg': small, 'in/c.png': graphic })
  const old = new Date('2020-01-02T03:04:05Z')
  await utimes(join(folder, 'in/b.jpg'), old, old)
  const ran = await optimize(folder, 'in', '--in-place')
  assert.deepEqual([ran.code, counts(ran)], [0, { done: 3 }], ran.errors)
  const lineOf = (name: string) => ran.lines().find(({ source }) => source === name)
  assert.ok((await readFile(join(folder, 'in/a.jpg'))).length < large.length / 2)
  assert.deepEqual(await readFile(join(folder, 'in/b.jpg')), small)
  assert.equal((await stat(join(folder, 'in/b.jpg'))).mtimeMs, old.getTime(), 'it was not written')
  assert.deepEqual([lineOf('in/b.jpg')?.keptSource, lineOf('in/a.jpg')?.keptSource], [true, undefined])
  assert.ok((await readFile(join(folder, 'in/c.png'))).length < 200)
  assert.deepEqual(counts(await optimize(folder, 'in', '--in-place')), { unchanged: 3 })
})

test('--lossless changes no pixel, and --max-bytes fits', async (t) => {
  const folder = await folderOf(t, { 'in/a.png': await photo(40, 30).png({ compressionLevel: 0 }).toBuffer(), 'b.jpg': large })
  const ran = await optimize(folder, 'in', '--lossless', '--out', 'out')
  assert.equal(ran.code, 0, ran.errors)
  const pixelsOf = (path: string) => sharp(join(folder, path)).raw().toBuffer()
  assert.deepEqual(await pixelsOf('out/a.png'), await pixelsOf('in/a.png'))
  const fitting = await optimize(folder, 'b.jpg', '--max-bytes', '5kB', '--out', 'c.jpg')
  assert.equal(fitting.code, 0, fitting.errors)
  assert.ok((await readFile(join(folder, 'c.jpg'))).length <= 5_000)
})

test('optimize refuses what does not go together, and another format', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': small })
  for (const [args, message] of [
    [['a.jpg', '--out', 'b.webp'], /^b\.webp says another format than a\.jpg: that is pixelmill convert\.\n$/],
    [['.', '--out', 'x', '--lossless', '--quality', '80'], /^--lossless changes no pixel/],
    [['.', '--out', 'x', '--visual-quality', '80', '--quality', '80'], /^--visual-quality: /],
    [['.', '--out', 'x', '--quality', '0'], /^--quality: /],
    [['.', '--out', 'x', '--width', '9'], /^Unknown option '--width'/],
  ] as const) {
    const { code, errors } = await pixelmill(['optimize', ...args], { cwd: folder })
    assert.match(errors, message)
    assert.equal(code, 2)
  }
  assert.deepEqual(await readdir(folder), ['a.jpg'])
})
