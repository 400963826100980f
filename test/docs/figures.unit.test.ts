import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from '@pixelmill/engine/tasks/index'
import { runTask } from '@pixelmill/engine/test/support/run-task'

/** Figures that stand in several places, or that follow from others. */

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')

/** The figures of a file that a pattern's groups match. */
function figures(path: string, pattern: RegExp): readonly number[] {
  const match = pattern.exec(read(path)) ?? assert.fail(`${path} has no ${pattern}`)
  return match.slice(1).map(Number)
}

/** Milliseconds of CPU of Pixelmill by picture. */
function cpuBesideOthers(): ReadonlyMap<string, number> {
  const rows = read('docs/performance.md').matchAll(/^\| (\d+ MP[^|]*?) *\| *([\d.]+) \| *[\d.]+ \([\d.]+\) \|/gm)
  return new Map([...rows].map(([, picture = '', ours]) => [picture, Number(ours)]))
}

test("the README's answer is what becomes of the example, and its share follows from both sizes", async () => {
  const [input = 0, output = 0, saving] = figures(
    'README.md',
    /x-input-size: (\d+)\nx-output-size: (\d+)\nx-saved-percent: ([\d.]+)/,
  )
  const example = readFileSync(join(root, 'examples/photo.jpg'))
  assert.equal(input, example.length)
  const params = operations.convert.params.parse({ format: 'avif', width: 800 })
  assert.equal(output, (await runTask('convert', params, example)).files[0]?.length)
  const [ofCommand] = figures('docs/cli.md', /"inputBytes":182385,"outputBytes":(\d+)/)
  assert.equal(ofCommand, output)
  assert.equal(saving, Math.round((1 - output / input) * 1000) / 10)
})

test('the costs of a billion images follow from the CPU of one, which is that of the table beside other servers', () => {
  const cpuOf = cpuBesideOthers()
  const rows = read('docs/scale-out.md').matchAll(
    /^\| (\d+ MP[^|]*?) *\| *([\d.]+) ms \| *([\d,]+) \| *\$([\d,]+) \| *([\d,]+) \|/gm,
  )
  let figureCount = 0
  for (const [, picture = '', ms, ...amounts] of rows) {
    assert.equal(Number(ms), cpuOf.get(picture), picture)
    const hours = (Number(ms) * 1e9) / 3_600_000
    const roundFigures = [Math.round(hours / 100) * 100, Math.round((hours * 0.04) / 10) * 10, Math.round(hours / 24 / 10) * 10]
    assert.deepEqual(
      amounts.map((amount) => Number(amount.replace(',', ''))),
      roundFigures,
      picture,
    )
    figureCount++
  }
  assert.equal(figureCount, 6)
})

/** The first cells of each row of a table whose first column has a conversion, without padding and by that conversion. */
function rowsByConversion(path: string, heading: string, cells: number): ReadonlyMap<string, string> {
  const [, after = ''] = read(path).split(heading)
  const [section = ''] = after.split('\n#')
  const rows = section.split('\n').filter((line) => /^\| \d+ MP/.test(line))
  return new Map(
    rows.map((row) => {
      const [conversion = '', ...figures] = row
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
      return [conversion, figures.slice(0, cells).join(' | ')]
    }),
  )
}

test('the figures beside other servers are those that the bench wrote', () => {
  const results = rowsByConversion('lab/results/peers.md', '### CPU of an image', 2)
  const figuresOfPage = rowsByConversion('docs/performance.md', '### CPU of an image', 2)
  assert.equal(figuresOfPage.size, 7)
  assert.deepEqual(figuresOfPage, results)
})

test('the CPU of the design, by process, is what the bench wrote', () => {
  const figuresOfPage = [
    ...read('docs/design/cpu-and-memory.md').matchAll(/^\| (\d+ MP JPEG → [^|]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$/gm),
  ]
  assert.equal(figuresOfPage.length, 5)
  for (const [, conversion = '', all, api, postgres] of figuresOfPage) {
    const cellsOf = (heading: string): readonly string[] =>
      [...rowsByConversion('lab/results/bench.md', heading, 9)].find(([name]) => name === conversion)?.[1].split(' | ') ?? []
    const [ofApi, , ofPostgres, , ofAll] = cellsOf('### Where the CPU of an image goes (ms)')
    assert.deepEqual([all, api, postgres], [ofAll, ofApi, ofPostgres], conversion)
  }
})

/** The same figure, in several files. */
const REPETITIONS: readonly (readonly [what: string, places: readonly (readonly [path: string, pattern: RegExp])[]])[] = [
  [
    'memory when ready, in MB',
    [
      ['docs/performance.md', /\*\*Memory\*\*: (\d+) MB when ready and (\d+) to (\d+) MB per busy renderer/],
      ['docs/scaling.md', /memory \| (\d+) MB when ready, (\d+) to (\d+) MB per busy renderer/],
    ],
  ],
  [
    'two API processes on one PostgreSQL',
    [
      ['lab/results/bench.md', /2 MP JPEG → 512 px JPEG +\| +[\d.]+ \| +[\d.]+ \| +([\d.]+) \| [\d.–]+ \| ≤ 1\.05/],
      ['docs/performance.md', /([\d.]+) \(1\.05\) for the small JPEG on two API processes/],
    ],
  ],
  [
    'CPU of an image of a batch, in ms',
    [
      ['docs/performance.md', /\| batch: 2 MP → full-size WebP \| ([\d.]+) \|/],
      ['lab/results/bench.md', /CPU of an image: all \(ms\) +\| +([\d.]+) \|/],
    ],
  ],
  [
    'a single request while a batch runs',
    [
      ['docs/performance.md', /while a batch runs \| ([\d.]+) times/],
      ['lab/results/bench.md', /slowdown of single requests +\| +([\d.]+) \|/],
    ],
  ],
  [
    'CPU of a call beyond the rendering, in ms',
    [
      ['docs/performance.md', /a request beyond the rendering[^|]*\| ([\d.]+) ms of CPU/],
      ['docs/scale-out.md', /the server's ([\d.]+) ms for each call/],
      ['docs/design/testing.md', /API, a call \| ([\d.]+) ms/],
    ],
  ],
]
for (const [what, places] of REPETITIONS)
  test(`${what}: the same in ${places.map(([path]) => path).join(' and ')}`, () => {
    const [first, ...others] = places.map(([path, pattern]) => figures(path, pattern))
    for (const other of others) assert.deepEqual(other, first)
  })
