import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { skipByDay } from '@pixelmill/codecs/test/support/at-night'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import { parquetWriteFile } from 'hyparquet-writer'
import sharp from 'sharp'

const PROGRAM = join(import.meta.dirname, '../bin/pixelmill.mjs')

interface Ran {
  readonly code: number | null
  readonly errors: string
  readonly output: Buffer
}

async function pixelmill(args: readonly string[], input?: Buffer): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, 'shard', ...args], { env: { PATH: process.env.PATH } })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const end = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [output, errors, code] = await Promise.all([buffer(child.stdout), buffer(child.stderr), end])
  return { code, output, errors: errors.toString() }
}

const WEBP = ['--width', '60', '--format', 'webp']
const KEYS = Array.from({ length: 11 }, (_, nth) => `photos/${nth}.jpg`)

/** A folder with eleven photographs and a damaged one, which is the twelfth key. */
async function pictures(t: TestContext): Promise<string> {
  const folder = await tempFolder(t)
  await mkdir(join(folder, 'photos'))
  for (const [nth, key] of KEYS.entries())
    await writeFile(
      join(folder, key),
      await photo(120 + nth, 80)
        .jpeg()
        .toBuffer(),
    )
  await writeFile(join(folder, 'photos/damaged.jpg'), 'no image')
  return folder
}

interface Verdict {
  readonly source: string
  readonly target: string | null
  readonly status: string
  readonly inputBytes: number
  readonly outputBytes: number
  readonly error?: { readonly code: string }
}

async function verdictsIn(folder: string): Promise<readonly Verdict[]> {
  const files = (await readdir(folder)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')))
  return texts.flatMap((text) => text.split('\n').filter(Boolean)).map((line) => JSON.parse(line) as Verdict)
}

const manifests: readonly (readonly [name: string, write: (path: string, keys: readonly string[]) => Promise<void>])[] = [
  [
    'JSON lines',
    (path, keys) => writeFile(path, keys.map((key, nth) => JSON.stringify(nth % 2 ? key : { key, n: 1 })).join('\n')),
  ],
  [
    'Parquet',
    async (path, keys) => parquetWriteFile({ filename: path, columnData: [{ name: 'key', data: [...keys] }], rowGroupSize: 5 }),
  ],
]
for (const [name, write] of manifests)
  test(`the parts of a manifest as ${name} convert each key once, and say what became of it`, {
    skip: name !== 'JSON lines' && skipByDay,
  }, async (t) => {
    const folder = await pictures(t)
    const manifest = join(folder, 'list')
    await write(manifest, [...KEYS, 'photos/damaged.jpg'])
    const verdicts = join(folder, 'verdicts')
    for (const index of ['0', '1', '2']) {
      const args = ['--manifest', manifest, '--index', index, '--of', '3', ...WEBP, '--out', join(folder, 'out')]
      const { code, errors } = await pixelmill([...args, '--name', '{stem}.{ext}', '--verdicts', verdicts])
      assert.equal(code, 0, errors)
    }
    const lines = await verdictsIn(verdicts)
    assert.deepEqual(lines.map(({ source }) => source).sort(), [...KEYS, 'photos/damaged.jpg'].sort())
    for (const { source, target, status, inputBytes, outputBytes, error } of lines) {
      if (source === 'photos/damaged.jpg') {
        assert.deepEqual([status, target, error?.code], ['failed', null, 'invalid_image_type'])
        continue
      }
      assert.equal(status, 'done')
      const [before, after] = await Promise.all([readFile(join(folder, source)), readFile(target ?? '')])
      assert.deepEqual([inputBytes, outputBytes], [before.length, after.length])
      const { format, width } = await sharp(after).metadata()
      assert.deepEqual([format, width], ['webp', 60])
    }
  })

test('a part that is complete is not converted again, and a part of a changed manifest or recipe is', {
  skip: skipByDay,
}, async (t) => {
  const folder = await pictures(t)
  const manifest = join(folder, 'list.jsonl')
  await writeFile(manifest, `${JSON.stringify(KEYS[0])}\n`)
  const out = join(folder, 'out')
  const run = (...more: readonly string[]) =>
    pixelmill(['--manifest', manifest, '--index', '0', '--of', '1', '--format', 'webp', '--out', out, ...more])
  assert.match((await run()).errors, /^Part 0 of 1: 1 image converted, 0 failed\./)
  await cp(join(folder, KEYS[1] ?? ''), join(folder, KEYS[0] ?? ''))
  assert.match((await run()).errors, /^Part 0 of 1 is complete:/)
  assert.match((await run('--quality', '30')).errors, /: 1 image converted, 0 failed/)
  await writeFile(manifest, `${JSON.stringify(KEYS[0])}\n${JSON.stringify(KEYS[1])}\n`)
  assert.match((await run()).errors, /: 2 images converted, 0 failed/)
})

test('by default results are named by what they are made of: the same picture twice is one file', async (t) => {
  const folder = await pictures(t)
  await writeFile(join(folder, 'list.jsonl'), `${JSON.stringify(KEYS[0])}\n`.repeat(3))
  const out = join(folder, 'out')
  const args = ['--manifest', join(folder, 'list.jsonl'), '--index', '0', '--of', '1', ...WEBP, '--out', out]
  assert.equal((await pixelmill(args)).code, 0)
  const files = (await readdir(out)).filter((name) => !name.startsWith('.'))
  assert.equal(files.length, 1)
  assert.match(files[0] ?? '', /^[0-9a-f]{64}\.webp$/)
})

test('lines that are no keys are verdicts, however many there are', { skip: skipByDay }, async (t) => {
  const folder = await pictures(t)
  const lines = ['{broken', '{"other":1}', '5', '""', '"s3://x"', `"${'a'.repeat(70_000)}"`, JSON.stringify(KEYS[0])]
  await writeFile(join(folder, 'list.jsonl'), [...lines, ...Array.from({ length: 50_000 }, () => '[')].join('\r\n'))
  const out = join(folder, 'out')
  const run = (index: string) =>
    pixelmill(['--manifest', join(folder, 'list.jsonl'), '--index', index, '--of', '2', ...WEBP, '--out', out])
  const first = await run('0')
  const second = await run('1')
  assert.deepEqual([first.code, second.code], [0, 0], first.errors + second.errors)
  const verdictLines = await verdictsIn(join(out, '.pixelmill/verdicts'))
  assert.equal(verdictLines.length, lines.length + 50_000)
  assert.equal(verdictLines.filter(({ error }) => error?.code === 'invalid_line').length, verdictLines.length - 1)
})

const REFUSALS: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [[], /^--manifest, --index, --of and --out are needed, or --stdio\.$/m],
  [['--stdio', '--out', 'x'], /^--stdio takes no manifest and no target/],
  [
    ['--manifest', '/nothing', '--index', '0', '--of', '1', '--out', 'OUT'],
    /^The manifest \/nothing cannot be read \(ENOENT\)\.$/m,
  ],
  [['--manifest', PROGRAM, '--index', '3', '--of', '3', '--out', 'OUT'], /with --of 3 it is at most 2/],
  [['--manifest', PROGRAM, '--index', '0', '--of', '1', '--out', 'OUT', '--name', 'x'], /A name needs \{ext\}/],
]
for (const [args, says] of REFUSALS)
  test(`exit code 2 and a sentence for: ${args.join(' ').replaceAll(PROGRAM, 'FILE') || 'no options'}`, async (t) => {
    const out = join(await tempFolder(t), 'out')
    const { code, errors } = await pixelmill(args.map((text) => (text === 'OUT' ? out : text)))
    assert.equal(code, 2, errors)
    assert.match(errors, says)
    await assert.rejects(readdir(join(out, '.pixelmill')), { code: 'ENOENT' })
  })

function frame(id: unknown, bytes: Buffer): Buffer {
  const head = Buffer.from(JSON.stringify({ id, bytes: bytes.length }))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(head.length)
  return Buffer.concat([length, head, bytes])
}

interface AnswerHead {
  readonly id: unknown
  readonly bytes: number
  readonly outputs: readonly { readonly name: string; readonly format: string; readonly width: number; readonly bytes: number }[]
  readonly error?: { readonly code: string }
}

function framesIn(output: Buffer): readonly { readonly head: AnswerHead; readonly body: Buffer }[] {
  const frames = []
  for (let at = 0; at < output.length; ) {
    const size = output.readUInt32BE(at)
    const head = JSON.parse(output.subarray(at + 4, at + 4 + size).toString()) as AnswerHead
    const end = at + 4 + size + head.bytes
    frames.push({ head, body: output.subarray(at + 4 + size, end) })
    at = end
  }
  return frames
}

test('--stdio answers each frame with the images of all outputs, or the error of the image', async (t) => {
  const folder = await tempFolder(t)
  const recipe = join(folder, 'recipe.json')
  await writeFile(
    recipe,
    JSON.stringify({
      outputs: [
        { name: 'a', format: 'webp' },
        { name: 'b', format: 'png', steps: [{ resize: { width: 10 } }] },
      ],
    }),
  )
  const picture = await photo(40, 30).jpeg().toBuffer()
  const ids = [0, 1, 'two', { three: 3 }]
  const input = [...ids.map((id) => frame(id, picture)), frame('bad', Buffer.from('x')), frame('empty', Buffer.alloc(0))]
  const { code, output, errors } = await pixelmill(['--stdio', '--recipe', recipe, '--jobs', '2'], Buffer.concat(input))
  assert.equal(code, 0, errors)
  const frames = framesIn(output)
  const byId = new Map(frames.map((each) => [JSON.stringify(each.head.id), each]))
  assert.equal(byId.size, 6)
  for (const id of ids) {
    const { head, body } = byId.get(JSON.stringify(id)) ?? assert.fail(`no answer to ${id}`)
    assert.deepEqual(
      head.outputs.map(({ name, format, width }) => [name, format, width]),
      [
        ['a', 'webp', 40],
        ['b', 'png', 10],
      ],
    )
    const [first] = head.outputs
    assert.equal((await sharp(body.subarray(0, first?.bytes)).metadata()).format, 'webp')
    assert.equal((await sharp(body.subarray(first?.bytes)).metadata()).format, 'png')
  }
  assert.equal(byId.get('"bad"')?.head.error?.code, 'invalid_image_type')
  assert.equal(byId.get('"empty"')?.head.error?.code, 'invalid_image')
})

const DAMAGED_INPUTS: readonly (readonly [name: string, input: Buffer, says: RegExp])[] = [
  ['a length that no head has', Buffer.from('GET / HTTP/1.1\r\n'), /^A frame's head says it has \d+ bytes/],
  ['a head that is not JSON', Buffer.concat([Buffer.from([0, 0, 0, 1]), Buffer.from('x')]), /is not a JSON object/],
  [
    'a negative number of bytes',
    Buffer.concat([Buffer.from([0, 0, 0, 12]), Buffer.from('{"bytes":-1}')]),
    /must be a whole number/,
  ],
  ['an end within a frame', frame(1, Buffer.alloc(100)).subarray(0, 50), /^The input ends within a frame\.$/m],
]
for (const [name, input, says] of DAMAGED_INPUTS)
  test(`--stdio ends with exit code 1 at ${name}`, async () => {
    const { code, errors } = await pixelmill(['--stdio', ...WEBP], input)
    assert.equal(code, 1, errors)
    assert.match(errors, says)
  })

test('--stdio ends when the engine closes its end', async (t) => {
  const child = spawn(process.execPath, [PROGRAM, 'shard', '--stdio', ...WEBP], { stdio: ['pipe', 'pipe', 'ignore'] })
  t.after(() => child.kill('SIGKILL'))
  child.stdin.on('error', () => {})
  const picture = await photo(40, 30).jpeg().toBuffer()
  child.stdin.write(frame(1, picture))
  await new Promise((resolve) => child.stdout.once('data', resolve))
  child.stdout.destroy()
  for (let nth = 0; nth < 50; nth++) child.stdin.write(frame(nth, picture))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.equal(code, 1)
})
