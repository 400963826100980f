import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import sharp from 'sharp'
import { cells } from '../bench/peers/cells.ts'
import { encoderSettings } from '../bench/peers/encoder-settings.ts'
import { peers } from '../bench/peers/index.ts'
import type { MeasuredCell, Result } from '../bench/peers/measure-cell.ts'
import { scoresOf } from '../bench/peers/score.ts'
import { peerTables } from '../bench/peers/tables.ts'
import { markdown } from '../bench/report/table.ts'

const [first, , , , , , last] = cells
if (!first || !last) throw new Error('seven cells are measured')

const result = (own: Partial<Result> = {}): Result => ({
  ms: 12.34,
  ofPixelmill: 0.5,
  ofBare: 0.8,
  bytes: 30_600,
  score: { samples: 71.24, light: 60.46 },
  ...own,
})

const resultCells: readonly MeasuredCell[] = [
  { cell: first, results: { Pixelmill: result(), 'bare sharp': result(), imagor: result({ ofBare: 3.4 }) }, foreignShare: 0.02 },
  { cell: last, results: { Pixelmill: result({ score: { samples: 68, light: 68 } }), 'bare sharp': result() }, foreignShare: 0 },
]

const photograph = sharp(join(import.meta.dirname, '../../examples/photo.jpg')).resize(480)

test('the settings of the service are those with which its codecs call the encoders', async () => {
  const png = await photograph.clone().png().toBuffer()
  for (const format of ['jpeg', 'webp', 'avif'] as const) {
    const settings = (await encoderSettings(format, 0.17))[format]
    const own = await codecs[format].encode(sharp(png), { quality: undefined, megapixels: 0.17, animation: undefined })
    const again = await sharp(png)[format](settings).toBuffer()
    assert.ok(settings?.quality)
    assert.equal(again.length, own.bytes.length, format)
  }
})

test('a peer with the quality of the service is asked for it, and one with its defaults is not', () => {
  const own = { jpeg: { quality: 77 } }
  const paths = Object.fromEntries(peers.map((peer) => [peer.name, peer.request('0-1.jpg', first, own).path]))
  assert.deepEqual(paths, {
    imgproxy: '/unsafe/rs:fit:512:0/f:jpg/plain/local:///0-1.jpg',
    'imgproxy =': '/unsafe/rs:fit:512:0/f:jpg/q:77/plain/local:///0-1.jpg',
    imagor: '/unsafe/fit-in/512x0/filters:format(jpeg)/0-1.jpg',
    oximg: '/resize/512/0/0-1.jpg@jpg',
    'oximg =': '/resize/512/0/0-1.jpg@jpg',
  })
  const settings = peers.find(({ name }) => name === 'oximg =')?.settings({ folder: '/pictures', port: 1 }, own)
  assert.equal(settings?.QUALITY, '77')
  assert.equal(settings?.OXIMG_WEBP_QUALITY, undefined)
})

test('a server that was left out has no column, and one that cannot make a picture has a dash', () => {
  const [cpu, bytes, scores] = peerTables(resultCells, 'Measured somewhere.')
  assert.deepEqual(cpu?.columns, ['picture', 'Pixelmill', 'bare sharp', 'imagor', 'foreign CPU'])
  assert.deepEqual(cpu?.rows, [
    [first.title, '12.3', '12.3 (0.50)', '12.3 (0.50)', '2 %'],
    [last.title, '12.3', '12.3 (0.50)', '–', '0 %'],
  ])
  assert.deepEqual(bytes?.rows[0], [first.title, '30.6', '30.6', '30.6'])
  assert.deepEqual(
    scores?.rows.map((row) => row[1]),
    ['71.2 / 60.5', '68.0'],
  )
})

test('the chart has a bar for each server of each picture, and is shown above the table', async () => {
  const [cpu] = peerTables(resultCells, 'Measured somewhere.')
  const svg = cpu?.chart?.svg ?? ''
  assert.equal(svg.match(/class="b"/g)?.length, 1)
  assert.equal(svg.match(/class="o"/g)?.length, 2)
  assert.match(svg, />3\.4 →</, 'a bar that is cut off says so')
  assert.match(markdown(cpu ?? assert.fail(), 'images'), /^### .*\n\n!\[.+\]\(images\/peers\.svg\)\n\n\| picture/)
  const { width, format } = await sharp(Buffer.from(svg)).metadata()
  assert.deepEqual([width, format], [880, 'svg'])
})

test('an answer scores the higher the closer it is to the exact small picture, and exact ones score 100', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-test-'))
  const file = join(folder.path, 'picture.png')
  const png = await photograph.clone().png().toBuffer()
  await writeFile(file, png)
  const small = sharp(png).resize(160)
  const answers = [png, await small.clone().png().toBuffer(), await small.clone().jpeg({ quality: 20 }).toBuffer()]
  const [whole, exact, coarse] = await scoresOf({ file, answers })
  assert.deepEqual(whole, { samples: 100, light: 100 })
  assert.ok(exact && coarse && exact.samples > 90 && exact.samples > coarse.samples + 20, JSON.stringify([exact, coarse]))
  assert.ok(exact.samples > exact.light, 'sharp resizes stored samples')
})
