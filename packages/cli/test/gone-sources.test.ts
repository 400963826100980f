import assert from 'node:assert/strict'
import { existsSync, statSync } from 'node:fs'
import { mkdir, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { convert, counts, folderOf, jpeg, type Line, pixelmill, type Ran } from './pixelmill.ts'

const WEBP = ['in', '--out', 'out', '--format', 'webp']
const pictures = { 'in/a.jpg': await jpeg(), 'in/b/c.jpg': await jpeg(), 'in/d.jpg': await jpeg() }
const OLD = new Date('2020-01-02T03:04:05Z')

/** What the lines say of results whose sources are gone. */
const leftOf = ({ lines }: Ran) =>
  (lines() as readonly (Omit<Line, 'status'> & { readonly status: string })[])
    .filter(({ status }) => ['left', 'removed', 'changed'].includes(status))
    .map(({ target, status }) => `${target} ${status}`)

test('results of sources that are gone are listed; --prune removes those that nobody has changed', async (t) => {
  const folder = await folderOf(t, pictures)
  await convert(folder, ...WEBP)
  await convert(folder, 'in/d.jpg', '--out', 'out', '--width', '20', '--format', 'webp', '--name', 'thumb/{stem}.{ext}')
  await writeFile(join(folder, 'out/own.webp'), 'of the user')
  for (const path of ['in/a.jpg', 'in/d.jpg']) await rm(join(folder, path))
  const listing = await pixelmill(['convert', ...WEBP], { cwd: folder, env: { NO_COLOR: '1' } })
  assert.match(
    listing.errors,
    /^3 results left of sources that are gone \(--prune removes them\):\n {2}out\/a\.webp\n {2}out\/d\.webp\n {2}out\/thumb\/d\.webp\nunchanged {2}1\n/,
  )
  await writeFile(join(folder, 'out/d.webp'), 'changed by others')
  const ran = await convert(folder, ...WEBP, '--prune')
  assert.deepEqual([ran.code, leftOf(ran)], [0, ['out/a.webp removed', 'out/d.webp changed', 'out/thumb/d.webp removed']])
  assert.deepEqual(
    ['a.webp', 'thumb/d.webp', 'd.webp', 'b/c.webp', 'own.webp'].filter((path) => existsSync(join(folder, 'out', path))),
    ['d.webp', 'b/c.webp', 'own.webp'],
  )
  assert.deepEqual(leftOf(await convert(folder, ...WEBP, '--prune')), ['out/d.webp changed'])
})

test('what another run has made of another folder, or by another recipe, is not gone', async (t) => {
  const folder = await folderOf(t, { ...pictures, 'other/e.jpg': await jpeg() })
  await convert(folder, 'other', '--out', 'out', '--format', 'png')
  await convert(folder, ...WEBP, '--quality', '20', '--name', 'small/{stem}.{ext}')
  assert.deepEqual(leftOf(await convert(folder, ...WEBP, '--prune')), [])
  assert.deepEqual(leftOf(await convert(folder, 'in/*.jpg', '--out', 'out', '--format', 'webp', '--prune')), [])
  await rm(join(folder, 'other/e.jpg'))
  assert.deepEqual(leftOf(await convert(folder, ...WEBP, '--prune')), [])
})

test('where no image is found, as on a disk that is not mounted, nothing is removed', async (t) => {
  const folder = await folderOf(t, pictures)
  await convert(folder, ...WEBP)
  await rename(join(folder, 'in'), join(folder, 'away'))
  await mkdir(join(folder, 'in'))
  assert.deepEqual(leftOf(await convert(folder, ...WEBP, '--prune')), [])
  assert.ok(existsSync(join(folder, 'out/a.webp')))
})

test('a width that a source has no longer is left over', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(60, 40) })
  const widths = ['in', '--out', 'out', '--widths', '20,50', '--format', 'webp']
  await convert(folder, ...widths)
  await writeFile(join(folder, 'in/a.jpg'), await jpeg(30, 20))
  assert.deepEqual(leftOf(await convert(folder, ...widths)), ['out/a-50.webp left'])
  assert.deepEqual(counts(await convert(folder, ...widths)), { unchanged: 1, left: 1 })
  assert.deepEqual(leftOf(await convert(folder, ...widths, '--prune')), ['out/a-50.webp removed'])
  assert.ok(existsSync(join(folder, 'out/a-30.webp')))
})

test('--keep-times gives results the time of their sources, also a single one and in place, and what is known stays known', async (t) => {
  const folder = await folderOf(t, pictures)
  await utimes(join(folder, 'in/a.jpg'), OLD, OLD)
  const timeOf = (path: string) => statSync(join(folder, path)).mtimeMs
  for (const args of [
    [...WEBP, '--keep-times'],
    ['in', '--in-place', '--quality', '30', '--keep-times'],
  ]) {
    assert.deepEqual(counts(await convert(folder, ...args)), { done: 3 })
    assert.deepEqual(counts(await convert(folder, ...args)), { unchanged: 3 })
  }
  assert.deepEqual([timeOf('out/a.webp'), timeOf('in/a.jpg')], [OLD.getTime(), OLD.getTime()])
  await convert(folder, 'in/a.jpg', '--out', 'one.webp', '--keep-times')
  assert.equal(timeOf('one.webp'), OLD.getTime())
})

test('--sort saved writes the lines that saved most first, and people read the ten that did', async (t) => {
  const plain = await jpeg(300, 200)
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/b.jpg': plain, 'in/c.jpg': 'no image' })
  const args = ['in', '--quality', '20', '--sort', 'saved']
  const ran = await convert(folder, ...args, '--out', 'one')
  assert.deepEqual(
    ran.lines().map(({ source }) => source),
    ['in/b.jpg', 'in/a.jpg', 'in/c.jpg'],
  )
  const people = await pixelmill(['convert', ...args, '--out', 'other'], { cwd: folder, env: { NO_COLOR: '1' } })
  assert.match(
    people.errors,
    /\nsaved most\n +\S+ k?B {2}in\/b\.jpg {2}\S+ kB → \S+ kB\n +\S+ k?B {2}in\/a\.jpg .*\nconverted {2}2 {2}/,
  )
})

for (const [args, message] of [
  [['--in-place', '--prune'], /^--prune is for results in a folder or a bucket/],
  [['--out', 's3://bucket/x', '--keep-times'], /^--keep-times is for files/],
  [['--out', 'x', '--watch', '--dry-run'], /^--watch goes on until it is stopped/],
  [['--out', 'x', '--max-cpu', '0'], /It must be a whole number from 1 to 100\.\n$/],
  [['--out', 'x', '--max-cpu', '50', '--server', 'http://127.0.0.1'], /^--max-cpu is for this machine/],
] as const)
  test(`convert . ${args.join(' ')} is refused in a sentence`, async (t) => {
    const folder = await folderOf(t, { 'a.jpg': 'x' })
    const { code, errors } = await pixelmill(['convert', '.', ...args], { cwd: folder })
    assert.match(errors, message)
    assert.equal(code, 2)
  })
