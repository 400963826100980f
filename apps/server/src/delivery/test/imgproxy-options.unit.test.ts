import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { near, pixel, solid } from '@pixelmill/codecs/test/support/pictures'
import { canonical } from '@pixelmill/engine/recipe/canonical'
import { recipeSchema } from '@pixelmill/engine/recipe/recipe'
import { runTask } from '@pixelmill/engine/test/support/run-task'
import sharp from 'sharp'
import { deliverySource } from '../../../test/support/delivery-source.ts'
import { isRefusal } from '../../contract/api-error.ts'
import { imgproxySignature } from '../imgproxy/address.ts'
import { imgproxyDialect } from '../imgproxy/dialect.ts'
import { imgproxyOptions } from '../imgproxy/options.ts'
import type { RunTask } from '../preparation.ts'

const folder = mkdtempSync(join(tmpdir(), 'imgproxy-'))
after(() => rmSync(folder, { recursive: true }))

const pair = { key: randomBytes(32), salt: randomBytes(32) }
const dialect = imgproxyDialect({
  pairs: [pair],
  presets: new Map([
    ['card', ['rs:fill:200:100', 'q:70']],
    ['circle', ['pr:circle', 'w:9']],
  ]),
  baseUrl: '',
  localRoot: undefined,
  endsWithName: false,
  watermarkPath: join(folder, 'logo.png'),
})
const source = deliverySource('shop', { type: 'web', baseUrl: 'https://cdn.example.com/' })
const ORIGINAL = '/plain/https://cdn.example.com/a.jpg'
const read = (options: string) => {
  const text = `/${options}${ORIGINAL}`
  return dialect.read(`/${imgproxySignature(text, pair)}${text}`, [source])
}

/** A picture of 800 × 600, which has enough pixels for what is asked below. */
const original = await solid(800, 600, '#336699').jpeg().toBuffer()
const mark = await solid(20, 10, '#ff0000').png().toBuffer()
writeFileSync(join(folder, 'logo.png'), mark)
const run: RunTask = (task, params, files) => runTask(task, params, ...files)
const noFiles = async () => assert.fail('no other file is read')

async function recipeFor(options: string, picture = original) {
  const preparation = await read(options).prepare(picture, run, noFiles)
  return preparation === 'original' ? assert.fail('it passes') : preparation.recipe
}

const meanings: Readonly<Record<string, object>> = {
  'rs:fit:300:200': { steps: [{ resize: { width: 267, height: 200, fit: 'fill' } }] },
  'resize:fill:300:200:1/gravity:noea': { steps: [{ resize: { width: 300, height: 200, fit: 'cover', gravity: 'northeast' } }] },
  'rs:fill:300:200/g:sm/dpr:2': { steps: [{ resize: { width: 600, height: 400, fit: 'cover', gravity: 'subject' } }] },
  'rs:fill:300:200/g:fp:0.2:0.8': {
    steps: [{ resize: { width: 300, height: 225, fit: 'fill' } }, { crop: { x: 0, y: 25, width: 300, height: 200 } }],
  },
  'rs:fill:300:200/g:no:0:10': {
    steps: [{ resize: { width: 300, height: 225, fit: 'fill' } }, { crop: { x: 0, y: 10, width: 300, height: 200 } }],
  },
  'rt:fill/s:400:0/el:t': { steps: [{ resize: { width: 400, height: 300, fit: 'fill' } }] },
  'rs:fill-down:900:900': { steps: [{ crop: { x: 100, y: 0, width: 600, height: 600 } }] },
  'rs:force:30:20': { steps: [{ resize: { width: 30, height: 20, fit: 'fill' } }] },
  'width:40/height:20/enlarge:0': { steps: [{ resize: { width: 27, height: 20, fit: 'fill' } }] },
  'w:0/h:0': { steps: [] },
  'w:1000': { steps: [] },
  'min-width:900/mh:100': { steps: [{ resize: { width: 900, height: 675, fit: 'fill' } }] },
  'zoom:0.5:0.25': { steps: [{ resize: { width: 400, height: 150, fit: 'fill' } }] },
  'c:100:50/g:so': { steps: [{ crop: { width: 100, height: 50, x: 350, y: 550 } }] },
  'crop:100:50:fp:0.2:0.8/g:so': { steps: [{ crop: { width: 100, height: 50, x: 110, y: 455 } }] },
  'c:0.5:0:sm': { steps: [{ crop: { width: 400, height: 600, gravity: 'subject' } }] },
  'sh:0.7/bl:3/rot:-90/fl:1:0/w:9/bg:255:0:128': {
    steps: [
      { rotate: { angle: 270 } },
      { flop: {} },
      { resize: { width: 9, height: 12, fit: 'fill' } },
      { blur: { sigma: 3 } },
      { sharpen: { sigma: 0.7 } },
      { background: { color: '#ff0080' } },
    ],
  },
  'ex:1:nowe/rs:fit:200:200/bg:f00/pd:1:2:3:4': {
    steps: [
      { resize: { width: 200, height: 150, fit: 'fill' } },
      { extend: { top: 1, right: 2, bottom: 53, left: 4 } },
      { background: { color: '#ff0000' } },
    ],
  },
  'exar:1:so/rs:fit:1000:1000': { steps: [{ extend: { top: 200 } }] },
  'pix:8/w:400': { steps: [{ resize: { width: 400, height: 300, fit: 'fill' } }, { pixelate: { size: 8 } }] },
  'bg:fff/bg:': { steps: [] },
  'q:0': {},
  'quality:80/f:webp': { quality: 80, format: 'webp' },
  'fq:jpeg:70:webp:60/ext:jpg': { quality: 70, format: 'jpeg' },
  // Of the format of the original.
  'fq:webp:60:jpg:70': { quality: 70 },
  'mb:20000/f:avif': { maxBytes: 20_000, format: 'avif' },
  'sm:0': { metadata: 'all' },
  'kcr:0/scp:0/ph:0': { metadata: 'none', icc: 'keep', hdr: 'drop' },
  'ar:1/eth:1/att:1/raw:0/cb:5/fn:x/exp:4000000000/skp:png/pix:1/ex:0/exar:0/pd:0/t:/z:1/mw:0/mh:0/ph:1': {},
  // The middle is rounded to the even pixel, which one step would not do.
  'pr:card/q:50': {
    quality: 50,
    steps: [{ resize: { width: 200, height: 150, fit: 'fill' } }, { crop: { x: 0, y: 26, width: 200, height: 100 } }],
  },
  'rs:fill:200:146': { steps: [{ resize: { width: 200, height: 146, fit: 'cover' } }] },
  'preset:circle': { steps: [{ resize: { width: 9, height: 7, fit: 'fill' } }] },
  // In its own size, and 0.2 of the picture's sides.
  'wm:0.5:soea': { steps: [{ watermark: { image: 'watermark', opacity: 50, scale: 20 / 800, position: 'bottom-right' } }] },
  'wm:1:nowe:0:0:0.2': { steps: [{ watermark: { image: 'watermark', opacity: 100, scale: 0.2, position: 'top-left' } }] },
  // 10 pixels lie to the right, and 5 are cut off below.
  'wm:1:soea:10:-5': { steps: [{ watermark: { image: 'watermark', opacity: 100, scale: 30 / 800, position: 'bottom-right' } }] },
  'watermark:1:re:10:::': {
    steps: [{ watermark: { image: 'watermark', opacity: 100, scale: 30 / 800, tile: true, spacing: 0, position: 'center' } }],
  },
  'wm:0': {},
}
for (const [options, askedItem] of Object.entries(meanings))
  test(`means: ${options}`, async () => {
    const recipe = recipeSchema.parse({ outputs: [{ metadata: 'copyright', ...askedItem }] })
    assert.equal(canonical(await recipeFor(options)), canonical(recipe))
  })

test('a border is cut off, before all else', async () => {
  const borderedPicture = await solid(60, 40, '#0000ff')
    .extend({ left: 20, right: 10, top: 8, bottom: 4, background: '#fff' })
    .png()
    .toBuffer()
  const cutOf = async (options: string) => (await recipeFor(options, borderedPicture)).outputs[0]?.steps[0]?.crop
  assert.deepEqual(await cutOf('t:10'), { x: 20, y: 8, width: 60, height: 40 })
  assert.deepEqual(await cutOf('trim:10:ffffff:1'), { x: 10, y: 8, width: 70, height: 40 })
  assert.deepEqual(await cutOf('t:10:fff:0:1'), { x: 20, y: 4, width: 60, height: 44 })
  assert.equal(await cutOf('t:10:f00'), undefined)
  const { steps } = (await recipeFor('t:10/w:30', borderedPicture)).outputs[0] ?? assert.fail()
  assert.deepEqual(steps[1]?.resize, { width: 30, height: 20, fit: 'fill', gravity: 'center', enlarge: true })
})

test('without auto_rotate the picture is as it is stored, whatever its orientation', async () => {
  const red = await solid(100, 50, '#ff0000').png().toBuffer()
  const green = await solid(100, 50, '#00ff00').png().toBuffer()
  const corners = [red, green].map((input, at) => ({ input, left: at * 100, top: 0 }))
  const storedPicture = await solid(200, 100, '#0000ff').composite(corners).png().toBuffer()
  for (let orientation = 1; orientation <= 8; orientation++) {
    const picture = await sharp(storedPicture).withMetadata({ orientation }).png().toBuffer()
    const recipe = await recipeFor('ar:0/w:100/f:png', picture)
    const { files } = await runTask('recipe', { recipe, files: [], accepts: [], allows: [] }, picture)
    const bytes = files[0] ?? assert.fail()
    const { width, height } = await sharp(bytes).metadata()
    assert.deepEqual([width, height], [100, 50], `orientation ${orientation}`)
    assert.ok(near(await pixel(bytes, 5, 5), [255, 0, 0, 255]), `orientation ${orientation}`)
    assert.ok(near(await pixel(bytes, 95, 5), [0, 255, 0, 255]), `orientation ${orientation}`)
  }
})

test('an original passes as it is: with raw, and where its format is to be skipped', async () => {
  for (const options of ['raw:1/w:5', 'skp:png:jpg/w:5', 'skp:jpeg/f:jpg', 'skip_processing:webp/skp:jpg'])
    assert.equal(await read(options).prepare(original, run, noFiles), 'original', options)
  for (const options of ['skp:png/w:5', 'skp:jpg/f:webp'])
    assert.notEqual(await read(options).prepare(original, run, noFiles), 'original', options)
})

test('the name of the file, and whether it is to be saved', () => {
  const dispositionOf = (options: string) => read(options).disposition
  assert.deepEqual(dispositionOf('w:5'), { type: 'inline' })
  assert.deepEqual(dispositionOf('fn:my%20cat'), { type: 'inline', stem: 'my cat' })
  assert.deepEqual(dispositionOf('filename:bXkgY2F0:1/att:1'), { type: 'attachment', stem: 'my cat' })
})

test('what changes the answer changes its place in the cache, and when it ends does not', () => {
  const variantOf = (options: string) => read(options).variant
  const variants = ['w:5', 'w:6', 'w:5/cb:7', 'w:5/att:1', 'w:5/fn:x', 'w:5/fq:webp:60', 'w:5/skp:png'].map(variantOf)
  assert.equal(new Set(variants).size, variants.length)
  assert.equal(variantOf('rs:fit:5'), variantOf('w:5/exp:4000000000/h:0'))
})

const refusedValue: Readonly<Record<string, string>> = {
  'rs:cover:300:200': 'rs',
  'rs:fit:300:200:0:1:sm': 'rs',
  'ex:1:sm': 'ex',
  'w:-5': 'w',
  'w:1e3': 'w',
  'w:5:6': 'w',
  'w:20000/el:1': 'width',
  'pd:9990': 'width',
  'dpr:0': 'dpr',
  'z:0': 'z',
  'z:1:2:3': 'z',
  'g:no:a:b': 'g',
  'g:obj:face': 'g',
  'g:fp:2:0': 'g',
  'c:-1:5': 'c',
  'c:a': 'c',
  'rot:45': 'rot',
  'bl:0.1': 'blur sigma',
  'bg:red': 'bg',
  'bg:1:2': 'bg',
  'bg:1:2:256': 'bg',
  'q:101': 'q',
  'fq:jpeg': 'fq',
  'f:bmp': 'format',
  'f:best': 'format',
  'f:gif/mb:5': 'outputs maxBytes',
  'wm:2': 'wm',
  'wm:1:ch': 'wm',
  'wm:1:fp:1': 'wm',
  'pr:none': 'pr',
  'pd:-5': 'pd',
  't:10:blue': 't',
  'fn:%zz': 'fn',
  'pix:-1': 'pix',
  'msr:5': 'msr',
  'mrd:5': 'mrd',
  'mw:x': 'mw',
  'aq:dssim': 'aq',
  'constructor:1': 'constructor',
}
for (const [options, name] of Object.entries(refusedValue))
  test(`is refused: ${options}`, () =>
    assert.rejects(
      async () => {
        const order = read(options)
        await order.prepare(original, run, noFiles).catch((error: unknown) => {
          throw order.explain(error)
        })
      },
      (error) => isRefusal(error) && error.code === 'invalid_params' && error.message.startsWith(`${name}`),
    ))

test('every option of imgproxy’s open-source edition is a row, and each is tried', () => {
  const triedNames = new Set(
    [...Object.keys(meanings), ...Object.keys(refusedValue), 't:1', 'trim:1', 'skp:png', 'filename:x']
      .flatMap((options) => options.split('/'))
      .map((option) => option.split(':')[0]),
  )
  // The switch of imgproxy 4.0 has this many cases.
  assert.equal(imgproxyOptions.length, 45)
  const missingNames = imgproxyOptions
    .filter(({ names }) => !names.some((name) => triedNames.has(name)))
    .map(({ names }) => names[0])
  assert.deepEqual(missingNames, ['max_src_file_size', 'max_animation_frames', 'max_animation_frame_resolution'])
  const all = imgproxyOptions.flatMap(({ names }) => names)
  assert.equal(new Set(all).size, all.length)
})
