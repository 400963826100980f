import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import sharp from 'sharp'
import { convert, counts, folderOf, jpeg, PROGRAM, pixelmill, type Ran } from './pixelmill.ts'
import { fillUp, mountSmallDisk, noSmallDisk } from './support/small-disk.ts'

const picture = await jpeg()

/** The error of each source that failed. */
const faults = ({ lines }: Pick<Ran, 'lines'>) =>
  Object.fromEntries(lines().flatMap(({ source, error }) => (error ? [[source, error.code]] : [])))

const images = (folder: string) => readdirSync(folder).filter((name) => !name.startsWith('.'))

test('files that are no images fail by name, and the others are converted', async (t) => {
  const large = await jpeg(300, 300)
  const files = { 'empty.jpg': '', 'text.jpg': 'no image', 'cut.jpg': large.subarray(0, 200), 'good.jpg': picture }
  const folder = await folderOf(t, Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`in/${name}`, bytes])))
  symlinkSync('nowhere', join(folder, 'in/broken.jpg'))
  symlinkSync('itself.jpg', join(folder, 'in/itself.jpg'))
  mkdirSync(join(folder, 'in/folder.jpg'))
  if (process.platform !== 'win32') execFileSync('mkfifo', [join(folder, 'in/pipe.jpg')])
  const ran = await convert(folder, 'in', '--out', 'out', '--format', 'webp')
  assert.equal(ran.code, 1)
  assert.deepEqual(faults(ran), {
    'in/broken.jpg': 'unreadable',
    'in/cut.jpg': 'invalid_image',
    'in/empty.jpg': 'invalid_image',
    'in/itself.jpg': 'unreadable',
    'in/text.jpg': 'invalid_image_type',
  })
  assert.equal(ran.errors.split('\n').filter((line) => /^failed {2}in\//.test(line)).length, 5)
  assert.deepEqual(images(join(folder, 'out')), ['good.webp'])
})

test('links to folders above are not followed for ever, and others are followed', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': picture, 'elsewhere/b.jpg': picture })
  symlinkSync('..', join(folder, 'in/up'))
  symlinkSync('.', join(folder, 'in/self'))
  symlinkSync('../elsewhere', join(folder, 'in/else'))
  const ran = await convert(folder, 'in', '--out', 'out')
  const targets = ran.lines().map(({ target }) => target)
  // The link to the folder above reaches what lies beside, too, once.
  assert.deepEqual([ran.code, targets.sort()], [0, ['out/a.jpg', 'out/else/b.jpg', 'out/up/elsewhere/b.jpg']])
})

test('names with newlines, quotes and escapes are kept, and printed in one line', async (t) => {
  const names = ['new\nline.jpg', `"quo'tes.jpg`, '\x1b[31mred.jpg', '-dash.jpg', '[a]*?.jpg', ' space .jpg', '%s é 日本.jpg']
  const folder = await folderOf(t, Object.fromEntries(names.map((name) => [`in/${name}`, picture])))
  const ran = await convert(folder, 'in', '--out', 'out', '--format', 'webp')
  assert.deepEqual([ran.code, ran.lines().length], [0, names.length])
  assert.deepEqual(images(join(folder, 'out')).sort(), names.map((name) => name.replace(/jpg$/, 'webp')).sort())
  await writeFile(join(folder, 'in/new\nline.jpg'), 'no image')
  const failure = await pixelmill(['convert', 'in', '--out', 'out', '--format', 'webp', '--quiet'], { cwd: folder })
  assert.match(failure.errors, /^failed {2}in\/new\\x0aline\.jpg: [^\n]+\n$/)
})

test('a name that is not UTF-8 fails by name', { skip: process.platform !== 'linux' && 'needs Linux' }, async (t) => {
  const folder = await folderOf(t, { 'in/good.jpg': picture })
  await writeFile(Buffer.concat([Buffer.from(join(folder, 'in/b')), Buffer.from([0xff]), Buffer.from('d.jpg')]), picture)
  const ran = await convert(folder, 'in', '--out', 'out')
  assert.deepEqual([ran.code, counts(ran)], [1, { done: 1, failed: 1 }])
  assert.deepEqual(Object.values(faults(ran)), ['invalid_name'])
})

test('a target inside the source is not converted again and again', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': picture, 'in/b/c.jpg': picture })
  const run = () => convert(folder, 'in', '--out', 'in/web')
  assert.deepEqual(counts(await run()), { done: 2 })
  assert.deepEqual(counts(await run()), { unchanged: 2 })
  symlinkSync('in', join(folder, 'link'))
  assert.deepEqual(counts(await convert(folder, 'link', '--out', 'in/web')), { unchanged: 2 })
  for (const [source, target] of [
    ['in', 'in'],
    ['in', './in/'],
    ['link', 'in'],
    ['in/a.jpg', 'in/a.jpg'],
  ] as const) {
    const same = await convert(folder, source, '--out', target)
    assert.equal(same.code, 2)
    assert.match(same.errors, /is both source and target: use --in-place/)
  }
  assert.deepEqual(await readFile(join(folder, 'in/a.jpg')), picture)
})

for (const [format, second] of [
  ['webp', 'a.png'],
  ['same', 'a.jpg'],
] as const)
  test(`of two images with one target the first of the listing gets it, and the other is named: ${format}`, async (t) => {
    const later = await sharp(await jpeg(9, 9))
      [second === 'a.png' ? 'png' : 'jpeg']()
      .toBuffer()
    const folder = await folderOf(t, { 'in/a.jpeg': await jpeg(600, 400), [`in/${second}`]: later })
    const target = `out/a.${format === 'same' ? 'jpg' : format}`
    for (const status of ['done', 'unchanged'] as const) {
      const ran = await pixelmill(['convert', 'in', '--out', 'out', '--format', format, '--json', '--jobs', '2'], { cwd: folder })
      assert.equal(ran.code, 1, ran.errors)
      assert.deepEqual(faults(ran), { [`in/${second}`]: 'target_taken' }, ran.output.toString())
      assert.deepEqual(
        ran.lines().flatMap((line) => line.target ?? []),
        [target],
      )
      assert.deepEqual(counts(ran), { [status]: 1, failed: 1 })
    }
    assert.equal((await sharp(join(folder, target)).metadata()).width, 600)
  })

test('outputs of one name are one result where they are equal, and fail by name where they are not', async (t) => {
  const recipe = {
    outputs: [
      { name: 'a', format: 'webp' },
      { name: 'b', format: 'webp' },
    ],
  }
  const files = { 'in/a.jpg': picture, 'flat/b.jpg': await jpeg(60, 2), 'recipe.json': JSON.stringify(recipe) }
  const folder = await folderOf(t, files)
  const ran = await convert(folder, 'in', '--recipe', 'recipe.json', '--out', 'out', '--name', '{id}.{ext}')
  assert.deepEqual([ran.code, counts(ran), ran.lines()[0]?.targets], [0, { done: 1 }, undefined], ran.errors)
  const widths = ['--widths', '20,24', '--format', 'webp', '--name', '{stem}-{height}.{ext}']
  const heights = await convert(folder, 'flat', ...widths, '--out', 'heights')
  assert.deepEqual([heights.code, faults(heights)], [1, { 'flat/b.jpg': 'target_taken' }])
})

test('where there are no images, nothing is to be done', async (t) => {
  const folder = await folderOf(t, { 'in/note.txt': 'x' })
  const ran = await pixelmill(['convert', 'in', '--out', 'out'], { cwd: folder })
  assert.deepEqual([ran.code, ran.errors], [0, 'No images were found.\n'])
})

test('a full disk ends the run with one line; with room again, the same command goes on', { skip: noSmallDisk() }, async (t) => {
  const files = Object.fromEntries(await Promise.all([0, 1, 2, 3, 4, 5].map(async (n) => [`in/${n}.jpg`, await jpeg(300, 300)])))
  const folder = await folderOf(t, files)
  const disk = mountSmallDisk(2)
  t.after(() => disk.remove())
  const args = ['convert', 'in', '--out', disk.path, '--format', 'png', '--json', '--jobs', '1']
  const ran = await pixelmill(args, { cwd: folder })
  assert.equal(ran.code, 0, ran.errors)
  const all = counts(ran)
  assert.deepEqual(all, { done: 6 })
  for (const name of images(disk.path)) execFileSync('rm', [join(disk.path, name)])
  fillUp(join(disk.path, '.filler'), 0.3)
  const full = await pixelmill(args, { cwd: folder })
  assert.equal(full.code, 1, full.errors)
  assert.match(full.errors, /^stopped {2}No space is left in \S+ \((ENOSPC|SQLITE_FULL)\)\.$/m)
  assert.match(full.errors, /^The same command goes on where this run has stopped\.$/m)
  for (const name of images(disk.path)) await sharp(join(disk.path, name)).stats()
  execFileSync('rm', [join(disk.path, '.filler')])
  const after = await pixelmill(args, { cwd: folder })
  assert.deepEqual([after.code, images(disk.path).length], [0, 6], after.errors)
})

test('a target that cannot be written is one line, and nothing is started', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': picture, file: '' })
  const ran = await pixelmill(['convert', 'in', '--out', 'file/out'], { cwd: folder })
  assert.equal(ran.code, 2)
  assert.match(ran.errors, /^stopped {2}file\/out cannot be written[^\n]*\n$/)
  const one = await pixelmill(['convert', 'in/a.jpg', '--out', 'file/a.webp'], { cwd: folder })
  assert.equal(one.code, 1)
  assert.match(one.errors, /^failed {2}in\/a\.jpg: The result cannot be written: file\/a\.webp \(\w+\)\.\n$/)
  await writeFile(join(folder, 'in/.keep'), '')
  mkdirSync(join(folder, 'out/.pixelmill'), { recursive: true })
  await writeFile(join(folder, 'out/.pixelmill/journal.db'), 'no database, but long enough for a header'.repeat(20))
  const answer = await pixelmill(['convert', 'in', '--out', 'out'], { cwd: folder })
  assert.equal(answer.code, 2)
  assert.match(answer.errors, /^stopped {2}The journal of out is damaged: remove the folder \.pixelmill there\./)
})

const canMount = noSmallDisk()

test('a read-only file system is one line', { skip: canMount }, async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': picture })
  const disk = mountSmallDisk(1)
  t.after(() => disk.remove())
  execFileSync('mount', ['-o', 'remount,ro', disk.path])
  const ran = await pixelmill(['convert', 'in', '--out', join(disk.path, 'out')], { cwd: folder })
  assert.equal(ran.code, 2)
  assert.match(ran.errors, /^stopped {2}\S+ cannot be written[^\n]*\n$/)
})

/** Runs the command as a user who is not root, for whom permissions count. */
const asNobody = (folder: string, args: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { cwd: folder, uid: 65_534, gid: 65_534, encoding: 'utf8' })
const notRoot = process.getuid?.() !== 0 && 'only root can become another user'

test('a folder and a file that may not be read fail by name', { skip: notRoot }, async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': picture, 'in/closed/b.jpg': picture, 'in/c.jpg': picture })
  execFileSync('sh', ['-c', 'chmod 0 in/closed in/c.jpg && mkdir -m 777 out'], { cwd: folder })
  const { status, stdout, stderr } = asNobody(folder, ['convert', 'in', '--out', 'out', '--json'])
  assert.equal(status, 1, stderr)
  const lines = () =>
    stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line))
  assert.deepEqual(faults({ lines }), { 'in/closed': 'unreadable', 'in/c.jpg': 'unreadable' })
  assert.ok(existsSync(join(folder, 'out/a.jpg')))
  execFileSync('sh', ['-c', 'rm -r out && mkdir -m 755 out'], { cwd: folder })
  const answer = asNobody(folder, ['convert', 'in', '--out', 'out'])
  assert.equal(answer.status, 2)
  assert.match(answer.stderr, /^stopped {2}out cannot be written[^\n]*\n$/)
})
