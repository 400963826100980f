import assert from 'node:assert/strict'
import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { codecs } from '@pixelmill/codecs'
import sharp from 'sharp'
import { bareRender } from '../bench/bare/bare-render.ts'
import { cells } from '../bench/peers/cells.ts'
import { encoderSettings } from '../bench/peers/encoder-settings.ts'
import { figureAt } from '../bench/peers/equal-score/figure-at.ts'
import { serversAhead } from '../bench/peers/equal-score/servers-ahead.ts'
import type { SweptCell } from '../bench/peers/equal-score/sweep-cell.ts'
import { figureText, scoreTables } from '../bench/peers/equal-score/tables.ts'
import { peers } from '../bench/peers/index.ts'
import { withRun } from '../bench/peers/kept-runs.ts'
import type { MeasuredCell, Result } from '../bench/peers/measure-cell.ts'
import { scoresOf } from '../bench/peers/score.ts'
import { peerTables } from '../bench/peers/tables.ts'
import { markdown } from '../bench/report/table.ts'

const [first, , , , , , last] = cells
if (!first || !last) throw new Error('seven cells are measured')

const result = (own: Partial<Result> = {}): Result => ({
  ms: 12.34,
  ofPixelmill: 0.5,
  bytes: 30_600,
  score: { samples: 71.24, light: 60.46 },
  ...own,
})

const resultCells: readonly MeasuredCell[] = [
  {
    title: first.title,
    results: { Pixelmill: result(), 'bare sharp': result(), imagor: result() },
    foreignShare: 0.02,
  },
  {
    title: last.title,
    results: { Pixelmill: result({ score: { samples: 68, light: 68 } }), 'bare sharp': result() },
    foreignShare: 0,
  },
]

const run = { date: '2026-03-02', circumstances: 'Measured somewhere', cells: resultCells }

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
  assert.deepEqual(await encoderSettings('png', 0.17), {}, 'which sharp does not write')
})

test('a peer with the quality of the service is asked for it, except in AVIF one whose encoder counts otherwise', () => {
  const own = { jpeg: { quality: 77 }, avif: { quality: 61 } }
  const paths = Object.fromEntries(
    peers.map((peer) => [peer.name, peer.request('0-1.jpg', first, peer.quality?.('jpeg', own)).path]),
  )
  assert.deepEqual(paths, {
    imgproxy: '/unsafe/rs:fit:512:0/f:jpg/plain/local:///0-1.jpg',
    'imgproxy =': '/unsafe/rs:fit:512:0/f:jpg/q:77/plain/local:///0-1.jpg',
    imagor: '/unsafe/fit-in/512x0/filters:format(jpeg)/0-1.jpg',
    oximg: '/image/width=512,format=jpg/0-1.jpg',
    'oximg =': '/image/width=512,format=jpg,quality=77/0-1.jpg',
  })
  const avifQualities = Object.fromEntries(peers.map((peer) => [peer.name, peer.quality?.('avif', own)]))
  assert.equal(avifQualities['imgproxy ='], 61)
  assert.equal(avifQualities['oximg ='], undefined)
})

test('a server that was left out has no column, and one that cannot make a picture has a dash', () => {
  const [cpu, bytes, scores] = peerTables([run])
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

test('of two days the newer one is shown, and how far the other is away', () => {
  const earlier = {
    ...run,
    date: '2026-03-01',
    cells: resultCells.map((cell) => ({ ...cell, results: { Pixelmill: result({ ms: 10 }) } })),
  }
  const runs = withRun(withRun(withRun([], { ...run, date: '2026-02-28' }), earlier), run)
  assert.deepEqual(withRun(runs, run), [run, earlier], 'two days are kept, and the last run of a day')
  const table = peerTables(runs).at(-1)
  assert.deepEqual(table?.rows[0], [first.title, '1.23', '–', '–'])
  assert.match(table?.notes?.[0] ?? '', /^2026-03-02 ÷ 2026-03-01/)
})

const pictures = (...scores: readonly number[]) =>
  scores.map((score, nth) => ({ samples: score, light: score / 2, bytes: 1000 * 10 ** nth }))

test('at equal score CPU is linear and bytes are exponential between two qualities, of the pictures that reach it', () => {
  const samples = [
    { quality: 50, ms: 10, pictures: pictures(50, 30) },
    { quality: 70, ms: 20, pictures: pictures(70, 55).map((each) => ({ ...each, bytes: each.bytes * 4 })) },
  ]
  const { ms, bytes = 0, reached } = figureAt(samples, 'samples', 60) ?? {}
  assert.deepEqual([ms, Math.round(bytes), reached], [15, 2000, 1])
  assert.equal(figureAt(samples, 'samples', 50)?.reached, 2)
  assert.equal(figureAt(samples, 'samples', 75), undefined, 'none reaches it')
  assert.equal(figureAt(samples, 'samples', 20), undefined, 'all are above it')
  assert.equal(figureText({ ms: 15, bytes: 2000, reached: 1 }, 2), '15.0 · 2.0 (1)')
})

test('a score that a server does not reach is an empty cell, and the chart compares each in the light that it reduces', async () => {
  const figure = { ms: 12, bytes: 20_000, reached: 6 }
  const sweptCell: SweptCell = {
    title: first.title,
    pictures: 6,
    rows: {
      Pixelmill: { samples: { 60: figure, 75: figure }, light: { 60: figure } },
      'bare sharp': { samples: { 60: figure, 75: { ...figure, ms: 10 } }, light: {} },
      oximg: { samples: { 60: figure }, light: { 60: figure, 75: { ...figure, ms: 6 } } },
    },
    foreignShare: 0,
  }
  const [table] = scoreTables([{ ...run, cells: [sweptCell] }])
  assert.deepEqual(table?.rows, [
    [first.title, 'Pixelmill', '12.0 · 20.0', '12.0 · 20.0', '', '12.0 · 20.0', '', ''],
    ['', 'bare sharp', '12.0 · 20.0', '10.0 · 20.0', '', '', '', ''],
    ['', 'oximg', '12.0 · 20.0', '', '', '12.0 · 20.0', '6.00 · 20.0', ''],
  ])
  const svg = table?.chart?.svg ?? ''
  assert.match(svg, />1\.20<.*>0\.60</s)
  assert.match(markdown(table ?? assert.fail(), 'images'), /^### .*\n\n!\[.+\]\(images\/peers\.svg\)\n\n\| picture/)
  const { width, format } = await sharp(Buffer.from(svg)).metadata()
  assert.deepEqual([width, format], [880, 'svg'])
})

test('bare sharp writes what the service’s codec writes of a photograph, also as PNG', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'pixelmill-test-'))
  const file = join(folder.path, 'picture.png')
  await writeFile(file, await photograph.clone().png().toBuffer())
  const rendering = { format: 'png', width: 240 } as const
  const { kept } = await bareRender({ files: [file], rendering, images: 1, lanes: 1, keep: true })
  const settings = { quality: undefined, megapixels: 0.05, animation: undefined, photograph: true }
  const own = await codecs.png.encode(sharp(file).resize({ width: 240 }), settings)
  assert.equal(kept?.[0]?.length, own.bytes.length)
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

test('a server is ahead that takes less CPU for no more bytes, and the difference is divided by bare sharp', () => {
  const figures = (ms: number, bytes: number, pictures = 4) => ({ samples: { 75: { ms, bytes, reached: pictures } }, light: {} })
  const cell = {
    title: '2 MP → 512 px WebP',
    pictures: 4,
    foreignShare: 0,
    rows: {
      Pixelmill: figures(40, 20_000),
      'bare sharp': figures(30, 20_000),
      imgproxy: figures(20, 25_000),
      'imgproxy =': figures(25, 20_100),
      oximg: figures(10, 15_000, 3),
      'oximg =': figures(41, 15_000),
    },
  } as SweptCell
  const { rows } = serversAhead({ date: '2026-03-02', circumstances: '', cells: [cell] })
  assert.deepEqual(
    rows.map((row) => row.slice(1, 7)),
    [['imgproxy =', 'Pixelmill', '0.63', '1.00', '10.0', '5.00']],
  )
})
