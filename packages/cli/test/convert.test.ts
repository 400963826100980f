import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { photo, withRedCorner } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { convert, counts, folderOf, jpeg, PROGRAM, pixelmill } from './pixelmill.ts'

const png = await (await withRedCorner()).png().toBuffer()

/** The images below a folder, by path, without what is hidden. */
async function below(folder: string): Promise<readonly string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true })
  return all
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .filter((path) => !/(^|\/)\./.test(path))
    .sort()
}

test('a folder with subfolders: every image keeps its path, and has a JSON line as the contract says', async (t) => {
  const files = {
    'in/a.jpg': await jpeg(1_500, 735),
    'in/deep/er/b.png': png,
    'in/note.txt': 'x',
    'in/.hidden/c.png': png,
    'in/.d.png': png,
  }
  const folder = await folderOf(t, files)
  const ran = await convert(folder, 'in', '--out', 'new/out', '--width', '300', '--format', 'webp')
  assert.equal(ran.code, 0, ran.errors)
  assert.deepEqual(await below(join(folder, 'new/out')), ['a.webp', 'deep/er/b.webp'])
  const { format, width, height } = await sharp(join(folder, 'new/out/a.webp')).metadata()
  assert.deepEqual([format, width, height], ['webp', 300, 147])
  const [a, b, ...rest] = ran.lines().toSorted((one, other) => (one.source < other.source ? -1 : 1))
  assert.deepEqual(rest, [])
  assert.deepEqual(Object.keys(a ?? {}), ['source', 'target', 'status', 'inputBytes', 'outputBytes', 'ms'])
  assert.deepEqual(
    [a?.source, a?.target, a?.status, a?.inputBytes],
    ['in/a.jpg', 'new/out/a.webp', 'done', files['in/a.jpg'].length],
  )
  assert.equal(b?.outputBytes, (await readFile(join(folder, 'new/out/deep/er/b.webp'))).length)
  assert.ok(Number.isInteger(a?.ms))
})

test('one file gets the format of its name, and a folder gets the name of the file', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg() })
  const answer = await pixelmill(['convert', 'a.jpg', '--out', 'b.png'], { cwd: folder })
  assert.match(answer.errors, /^b\.png: \S+ \S+ → \S+ \S+, .*\n$/)
  assert.equal((await sharp(join(folder, 'b.png')).metadata()).format, 'png')
  assert.deepEqual((await pixelmill(['convert', 'a.jpg', '--out', 'out', '--quiet'], { cwd: folder })).errors, '')
  assert.deepEqual(await below(join(folder, 'out')), ['a.jpg'])
  assert.deepEqual(await readdir(folder), ['a.jpg', 'b.png', 'out'])
})

test('a pattern names files below its fixed part, and what is in the target is left out', async (t) => {
  const folder = await folderOf(t, { 'in/x/a.png': png, 'in/y/b.png': png, 'in/y/b.gif': png, 'in/web/x/a.png': png })
  const ran = await convert(folder, 'in/**/*.png', '--out', 'in/web', '--format', 'webp')
  assert.deepEqual([ran.code, counts(ran)], [0, { done: 2 }])
  assert.deepEqual(await below(join(folder, 'in/web')), ['x/a.png', 'x/a.webp', 'y/b.webp'])
  const beside = await convert(folder, 'in/y/*.gif', '--out', 'in/y', '--format', 'webp')
  assert.deepEqual([beside.code, counts(beside)], [0, { done: 1 }], beside.errors)
})

test('a pipe has one image on each side, and only that', async (t) => {
  const cwd = await folderOf(t, {})
  const ran = await pixelmill(['convert', '-', '--format', 'avif', '--width', '30', '--out', '-'], { cwd, input: png })
  assert.deepEqual([ran.code, ran.errors], [0, ''])
  const { format, width } = await sharp(ran.output).metadata()
  assert.deepEqual([format, width], ['heif', 30])
  const bad = await pixelmill(['convert', '-', '--format', 'avif', '--out', '-'], { cwd, input: Buffer.from('no image') })
  assert.deepEqual([bad.code, bad.output.length], [1, 0])
  assert.match(bad.errors, /^failed {2}-: [^\n]+\n$/)
  assert.deepEqual(await readdir(cwd), [])
})

test('a recipe with several outputs and a watermark beside it; a preset is the same', async (t) => {
  const recipe = {
    steps: [{ watermark: { image: 'mark.png', opacity: 1 } }],
    outputs: [
      { name: 'small', steps: [{ resize: { width: 30 } }], format: 'webp' },
      { name: 'large', format: 'png' },
    ],
  }
  const files = {
    'r/recipe.json': JSON.stringify(recipe),
    'r/preset.json': JSON.stringify({ name: 'p', recipe }),
    'in/a.png': png,
  }
  const folder = await folderOf(t, { ...files, 'r/mark.png': await photo(20, 20).png().toBuffer() })
  const ran = await convert(folder, 'in', '--recipe', 'r/recipe.json', '--out', 'out')
  assert.equal(ran.code, 0, ran.errors)
  assert.deepEqual(await below(join(folder, 'out')), ['a-large.png', 'a-small.webp'])
  const [line] = ran.lines()
  assert.deepEqual([line?.target, line?.targets], ['out/a-small.webp', ['out/a-small.webp', 'out/a-large.png']])
  assert.equal((await sharp(join(folder, 'out/a-small.webp')).metadata()).width, 30)
  assert.notDeepEqual(await sharp(join(folder, 'out/a-large.png')).raw().toBuffer(), await sharp(png).raw().toBuffer())
  const preset = await convert(folder, 'in', '--preset', 'r/preset.json', '--out', 'preset', '--name', '{output}/{stem}.{ext}')
  assert.equal(preset.code, 0, preset.errors)
  assert.deepEqual(await below(join(folder, 'preset')), ['large/a.png', 'small/a.webp'])
  assert.deepEqual(await readFile(join(folder, 'preset/large/a.png')), await readFile(join(folder, 'out/a-large.png')))
  const icons = await convert(folder, 'in', '--preset', 'favicon', '--out', 'icons', '--name', '{output}.{ext}')
  assert.equal(icons.code, 0, icons.errors)
  assert.deepEqual(await below(join(folder, 'icons')), ['apple-touch-icon.png', 'favicon.ico', 'icon-192.png', 'icon-512.png'])
  const into = await convert(folder, 'in/a.png', '--recipe', 'r/recipe.json', '--out', 'one.webp')
  assert.deepEqual([into.code, into.output.length], [2, 0])
  assert.match(into.errors, /^The recipe has several outputs: name a folder or a bucket with --out\.\n$/)
})

test('a recipe is refused by the place of its fault, and before anything is written', async (t) => {
  const files = {
    'step.json': '{"steps":[{"resize":{"width":"wide"}}]}',
    'names.json': '{"outputs":[{"name":"a"},{"name":"a"}]}',
    'text.json': 'width: 9',
    'mark.json': '{"steps":[{"watermark":{"image":"none.png"}}]}',
  }
  const folder = await folderOf(t, { ...files, 'a.png': png })
  for (const [file, message] of [
    ['step.json', /^step\.json is not a recipe: steps\.0\.resize\.width: /],
    ['names.json', /^names\.json is not a recipe: outputs\.1\.name: Must be unique in the recipe\.\n$/],
    ['text.json', /^text\.json is not JSON: /],
    ['mark.json', /none\.png cannot be read \(ENOENT\)\.\n$/],
  ] as const) {
    const { code, errors } = await convert(folder, 'a.png', '--recipe', file, '--out', 'out')
    assert.equal(code, 2)
    assert.match(errors, message)
  }
  assert.equal(existsSync(join(folder, 'out')), false)
})

test('--dry-run says what all would come to, and writes nothing, whatever the target is', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/b.jpg': await jpeg(), 'in/c.jpg': 'x' })
  const before = await readdir(folder, { recursive: true })
  const ran = await pixelmill(['convert', 'in', '--out', 'out', '--format', 'webp', '--dry-run'], { cwd: folder })
  assert.equal(ran.code, 0, ran.errors)
  assert.match(
    ran.errors,
    /^would fail {2}in\/c\.jpg: .*\n3 images, .*A sample of 2 images: .*\nIn all about .* Nothing was written\.\n$/s,
  )
  const one = await pixelmill(['convert', 'in/a.jpg', '--out', 'a.webp', '--dry-run'], { cwd: folder })
  assert.match(one.errors, /^1 image, .*Nothing was written\.\n$/s)
  const inPlace = await pixelmill(['convert', 'in/b.jpg', '--quality', '50', '--in-place', '--dry-run'], { cwd: folder })
  assert.match(inPlace.errors, /^1 image, .*Nothing was written\.\n$/s)
  assert.deepEqual([one.code, inPlace.code], [0, 0])
  assert.deepEqual(await readdir(folder, { recursive: true }), before)
})

test('people read a summary; with --quiet only failures; exit code 1 says that there are some', async (t) => {
  const folder = await folderOf(t, { 'in/a.jpg': await jpeg(), 'in/b.jpg': 'no image' })
  const loud = await pixelmill(['convert', 'in', '--out', 'out'], { cwd: folder, env: { NO_COLOR: '1' } })
  assert.deepEqual([loud.code, loud.output.length], [1, 0])
  assert.match(
    loud.errors,
    /^failed {2}in\/b\.jpg: .*\nconverted {2}1 {2}.* → .*\nfailed {5}1 {2}named above\nin all {5}2 {2}.*\n$/,
  )
  const quiet = await pixelmill(['convert', 'in', '--out', 'out', '--quiet'], { cwd: folder })
  assert.equal(quiet.code, 1)
  assert.match(quiet.errors, /^failed {2}in\/b\.jpg: [^\n]*\n$/)
  const json = await convert(folder, 'in', '--out', 'out')
  assert.equal(json.lines().find(({ status }) => status === 'failed')?.error?.code, 'invalid_image_type')
})

test('a reader that goes away ends the run without a stack', async (t) => {
  const folder = await folderOf(
    t,
    Object.fromEntries(await Promise.all([1, 2, 3, 4].map(async (n) => [`in/${n}.jpg`, await jpeg()]))),
  )
  await writeFile(
    join(folder, 'run.sh'),
    `"$1" "$2" convert in --out out --json --jobs 1 2> errors | head -n 1 > first; echo "\${PIPESTATUS[0]}" > code`,
  )
  spawnSync('bash', [join(folder, 'run.sh'), process.execPath, PROGRAM], { cwd: folder })
  assert.doesNotMatch(await readFile(join(folder, 'errors'), 'utf8'), /\n {4}at |EPIPE/)
  assert.match(await readFile(join(folder, 'first'), 'utf8'), /^\{"source":"in\/\d\.jpg".*\}\n$/)
  assert.equal(await readFile(join(folder, 'code'), 'utf8'), '130\n')
})

test('info says what images are, in lines or as JSON', async (t) => {
  const folder = await folderOf(t, { 'a.jpg': await jpeg(80, 40), 'b.jpg': 'no image' })
  const plain = await pixelmill(['info', 'a.jpg'], { cwd: folder })
  assert.equal(plain.code, 0, plain.errors)
  assert.match(plain.output.toString(), /^a\.jpg\n.*^ {2}format +jpeg$.*^ {2}width +80$/ms)
  const json = await pixelmill(['info', 'a.jpg', 'b.jpg', '--fields', 'format,width', '--json'], { cwd: folder })
  assert.equal(json.code, 1)
  const [a, b] = json.lines() as unknown as readonly { readonly info?: object; readonly error?: { readonly code: string } }[]
  assert.deepEqual([a?.info, b?.error?.code], [{ format: 'jpeg', width: 80 }, 'invalid_image_type'])
})
