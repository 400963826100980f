import assert from 'node:assert/strict'
import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { convert, counts, folderOf, jpeg, pixelmill } from './pixelmill.ts'

const names = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort()
const RESPONSIVE = ['in', '--out', 'out', '--widths', '20,40,80', '--format', 'webp,jpeg']

test('nothing is enlarged unless that is asked for', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(60, 40) })
  const widthOf = async (path: string) => (await sharp(join(folder, path)).metadata()).width
  assert.equal((await convert(folder, 'in', '--width', '90', '--format', 'webp', '--out', 'as-it-is')).code, 0)
  assert.equal(await widthOf('as-it-is/a.webp'), 60)
  assert.equal((await convert(folder, 'in', '--width', '90', '--enlarge', '--format', 'webp', '--out', 'larger')).code, 0)
  assert.equal(await widthOf('larger/a.webp'), 90)
})

test('several widths and formats in one run; a smaller source gives its own width once, and then nothing is to do', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(100, 50), 'in/b.jpg': await jpeg(30, 20) })
  const ran = await convert(folder, ...RESPONSIVE)
  assert.deepEqual([ran.code, counts(ran)], [0, { done: 2 }], ran.errors)
  const own = ['b-20.jpg', 'b-20.webp', 'b-30.jpg', 'b-30.webp']
  const all = ['a-20.jpg', 'a-20.webp', 'a-40.jpg', 'a-40.webp', 'a-80.jpg', 'a-80.webp', ...own]
  assert.deepEqual(await names(join(folder, 'out')), all)
  const { format, width, height } = await sharp(join(folder, 'out/a-80.webp')).metadata()
  assert.deepEqual([format, width, height], ['webp', 80, 40])
  const again = await convert(folder, ...RESPONSIVE)
  assert.deepEqual(counts(again), { unchanged: 2 })
  const targetsOf = ({ lines }: typeof ran) => lines().find(({ source }) => source === 'in/b.jpg')?.targets
  assert.deepEqual(targetsOf(ran), ['out/b-20.webp', 'out/b-30.webp', 'out/b-20.jpg', 'out/b-30.jpg'])
  assert.deepEqual(targetsOf(again), targetsOf(ran))
  await rm(join(folder, 'out/b-30.jpg'))
  assert.deepEqual(counts(await convert(folder, ...RESPONSIVE)), { done: 1, unchanged: 1 })
})

test('each result is what a run of its own makes', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(200, 100) })
  const name = ['--name', '{format}/{stem}-{width}x{height}.{ext}']
  assert.equal((await convert(folder, ...RESPONSIVE, ...name)).code, 0)
  await convert(folder, 'in', '--out', 'one', '--width', '40', '--format', 'webp')
  assert.deepEqual(await readFile(join(folder, 'out/webp/a-40x20.webp')), await readFile(join(folder, 'one/a.webp')))
})

test('--html prints a picture for each source, with all widths and the size, whether or not it was converted now', async (t) => {
  const folder = await folderOf(t, {
    'in/b & c.jpg': await jpeg(100, 50),
    'in/a.jpg': await jpeg(30, 20),
    'in/x.jpg': 'no image',
  })
  const ran = await pixelmill(['convert', ...RESPONSIVE, '--quiet', '--html', '--html-base', '/img'], { cwd: folder })
  assert.equal(ran.code, 1)
  const [a = '', b = '', ...rest] = ran.output.toString().split(/(?<=<\/picture>\n)/)
  assert.deepEqual(rest, [])
  assert.match(a, /^ {2}<source type="image\/webp" srcset="\/img\/a-20\.webp 20w, \/img\/a-30\.webp 30w" sizes="/m)
  assert.equal(
    b,
    `<picture>
  <source type="image/webp" srcset="/img/b%20%26%20c-20.webp 20w, /img/b%20%26%20c-40.webp 40w, /img/b%20%26%20c-80.webp 80w" sizes="(max-width: 80px) 100vw, 80px">
  <img src="/img/b%20%26%20c-80.jpg" srcset="/img/b%20%26%20c-20.jpg 20w, /img/b%20%26%20c-40.jpg 40w, /img/b%20%26%20c-80.jpg 80w" sizes="(max-width: 80px) 100vw, 80px"
    width="80" height="40" alt="" loading="lazy" decoding="async">
</picture>
`,
  )
  await writeFile(join(folder, 'in/x.jpg'), await jpeg(20, 10))
  const again = await pixelmill(['convert', ...RESPONSIVE, '--quiet', '--html', '--html-base', '/img'], { cwd: folder })
  assert.equal(again.code, 0)
  assert.ok(again.output.toString().startsWith(ran.output.toString()))
})

for (const [args, message] of [
  [['--widths', '20', '--in-place'], /^--widths makes further files: name a folder/],
  [['--format', 'webp,jpeg', '--in-place'], /^Each image gets several results: name a folder/],
  [['--widths', '20,40', '--out', 'x', '--name', '{stem}.{ext}'], /^Each image gets several widths: a name needs \{width\}, /],
  [['--widths', '20', '--out', 'x', '--html', '--json'], /^--html and --json both need standard output\.\n$/],
  [['--out', 'x', '--html-base', '/'], /^--html-base is for --html\.\n$/],
] as const)
  test(`convert . ${args.join(' ')} is refused in a sentence`, async (t) => {
    const folder = await folderOf(t, { 'a.jpg': 'x' })
    const { code, errors } = await pixelmill(['convert', '.', ...args], { cwd: folder })
    assert.match(errors, message)
    assert.equal(code, 2)
  })
