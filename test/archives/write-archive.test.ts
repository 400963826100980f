import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { crc32 } from 'node:zlib'
import { inspectArchive } from '../../src/archives/inspect.ts'
import { readEntry } from '../../src/archives/read-entry.ts'
import { archiveLength, writeArchive } from '../../src/archives/write-archive.ts'
import type { WrittenEntry } from '../../src/archives/written-entry.ts'
import { ARCHIVE_LIMITS, inspect, unpack } from '../support/archives.ts'

const modified = new Date('2026-11-21T10:20:31.999Z')
const noise = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7919) >> 5))

async function* chunks(): AsyncGenerator<Buffer> {
  yield noise.subarray(0, 10)
  yield Buffer.alloc(0)
  yield noise.subarray(10)
}

const sample = (): readonly WrittenEntry[] => [
  { path: 'manifest.json', modified, content: Buffer.from('[]') },
  { path: 'ü/写真 😊.webp', modified, content: noise },
  { path: 'ü/empty.webp', modified, content: Buffer.alloc(0) },
  { path: 'streamed.webp', modified, content: chunks(), bytes: noise.length, crc32: crc32(noise) },
]
const lengths = (entries: readonly WrittenEntry[]) =>
  entries.map((entry) => ({ path: entry.path, bytes: 'bytes' in entry ? entry.bytes : entry.content.length }))
const many = (count: number): readonly WrittenEntry[] =>
  Array.from({ length: count }, (_, nth) => ({ path: `${nth}.webp`, modified, content: Buffer.from(`${nth}`) }))

const zip64 = buffer(writeArchive(many(65_535)))

const folder = mkdtempSync(join(tmpdir(), 'archives-'))
after(() => rmSync(folder, { recursive: true }))

test('what is written is read again', async () => {
  const bytes = await buffer(writeArchive(sample()))
  assert.deepEqual(
    (await inspect(bytes)).map(({ path, bytes, kind }) => [path, bytes, kind]),
    [
      ['manifest.json', 2, 'file'],
      ['ü/写真 😊.webp', 100_000, 'file'],
      ['ü/empty.webp', 0, 'empty'],
      ['streamed.webp', 100_000, 'file'],
    ],
  )
  assert.ok((await unpack(bytes, 1)).equals(noise))
  assert.ok((await unpack(bytes, 3)).equals(noise))
})

test('its length is known before, and the same entries give the same bytes', async () => {
  const bytes = await buffer(writeArchive(sample()))
  assert.equal(archiveLength(lengths(sample())), bytes.length)
  assert.ok((await buffer(writeArchive(sample()))).equals(bytes))
  assert.equal((await buffer(writeArchive([]))).length, archiveLength([]))
})

/** Each with how it is asked whether an archive is whole: it ends with status 0. */
const programs: readonly (readonly [name: string, version: string, ...check: string[]])[] = [
  ['unzip', '-v', '-tqq'],
  ['7zz', 'i', 't'],
  ['python3', '--version', '-c', 'import sys, zipfile; sys.exit(zipfile.ZipFile(sys.argv[1]).testzip() is not None)'],
]
for (const [name, version, ...check] of programs) {
  const missing = spawnSync(name, [version]).status !== 0 ? `${name} is not installed` : false
  test(`${name} finds nothing wrong, with ZIP64 and without`, { skip: missing }, async () => {
    for (const [nth, archive] of [await buffer(writeArchive(sample())), await buffer(writeArchive([])), await zip64].entries()) {
      // Info-ZIP calls an archive of nothing a fault.
      if (name === 'unzip' && nth === 1) continue
      const file = join(folder, `${name}-${nth}.zip`)
      writeFileSync(file, archive)
      const { status, stdout, stderr } = spawnSync(name, [...check, file], { encoding: 'utf8', maxBuffer: 2 ** 28 })
      assert.equal(status, 0, `${stderr}${stdout.slice(-1_000)}`)
    }
  })
}

test('python3 reads names, times and modes as written', { skip: spawnSync('python3', ['-V']).status !== 0 }, async () => {
  const file = join(folder, 'names.zip')
  writeFileSync(file, await buffer(writeArchive(sample())))
  const program =
    'import sys, json, zipfile; print(json.dumps([[i.filename, i.date_time, oct(i.external_attr >> 16)] for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  const { stdout } = spawnSync('python3', ['-c', program, file], { encoding: 'utf8' })
  const expected = sample().map(({ path }) => [path, [2026, 11, 21, 10, 20, 30], '0o100644'])
  assert.deepEqual(JSON.parse(stdout), expected)
})

const times: readonly (readonly [at: string, date: number, time: number])[] = [
  ['2026-11-21T10:20:31Z', (46 << 9) | (11 << 5) | 21, (10 << 11) | (20 << 5) | 15],
  ['1980-01-01T00:00:00Z', 33, 0],
  ['1970-01-01T00:00:00Z', 33, 0],
  ['not a time', 33, 0],
  ['+010000-12-31T23:59:59Z', (127 << 9) | (12 << 5) | 31, (23 << 11) | (59 << 5) | 29],
]
for (const [at, date, time] of times) {
  test(`${at} as the time`, async () => {
    const bytes = await buffer(writeArchive([{ path: 'a', modified: new Date(at), content: noise }]))
    assert.deepEqual([bytes.readUInt16LE(12), bytes.readUInt16LE(10)], [date, time])
  })
}

test('65,535 entries take ZIP64', async () => {
  const bytes = await zip64
  assert.equal(archiveLength(lengths(many(65_535))), bytes.length)
  const read = await inspect(bytes, { ...ARCHIVE_LIMITS, entries: 65_535 })
  assert.equal(read.at(-1)?.path, '65534.webp')
  const smaller = await buffer(writeArchive(many(65_534)))
  assert.equal(bytes.length - smaller.length, 30 + 46 + 2 * 10 + 5 + 56 + 20)
})

/** The bytes of an archive of which zeros were not kept. */
function sparse(kept: readonly { readonly at: number; readonly chunk: Buffer }[], position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (const { at, chunk } of kept) {
    const [from, to] = [Math.max(at, position), Math.min(at + chunk.length, position + length)]
    if (from < to) chunk.copy(bytes, from - position, from - at, to - at)
  }
  return bytes
}

test('so do places beyond 4 GiB', async () => {
  const zeros = Buffer.alloc(50_000_000)
  const bytes = 30 * zeros.length
  async function* content() {
    for (let nth = 0; nth < 30; nth++) yield zeros
  }
  const checksum = Array.from({ length: 30 }).reduce((sum: number) => crc32(zeros, sum), 0)
  const large = ['a', 'b', 'c'].map((path) => ({ path, modified, content: content(), bytes, crc32: checksum }))
  const entries: readonly WrittenEntry[] = [...large, { path: 'd', modified, content: Buffer.from('behind') }]
  const kept: { readonly at: number; readonly chunk: Buffer }[] = []
  let size = 0
  for await (const chunk of writeArchive(entries)) {
    if (chunk.length < zeros.length) kept.push({ at: size, chunk })
    size += chunk.length
  }
  assert.equal(size, archiveLength(lengths(entries)))
  const source = { size, read: async (position: number, length: number) => sparse(kept, position, length) }
  const found = await inspectArchive(source, { archiveBytes: size, entries: 4, unpackedBytes: size })
  assert.deepEqual(
    found.map(({ packed }) => packed.headerAt),
    [0, 1, 2, 3].map((nth) => nth * (bytes + 31)),
  )
  const last = found[3]
  assert.ok(last)
  assert.equal(String(await readEntry(source, last, 100)), 'behind')
})

const faults: readonly (readonly [fault: string, entry: Partial<WrittenEntry> & object])[] = [
  ['shorter', { bytes: noise.length + 1, crc32: crc32(noise) }],
  ['longer', { bytes: noise.length - 1, crc32: crc32(noise) }],
  ['another file', { bytes: noise.length, crc32: 1 }],
]
for (const [fault, sizes] of faults) {
  test(`a stored file that is ${fault} fails the archive`, async () => {
    const entry = { path: 'a.webp', modified, content: chunks(), ...sizes } as WrittenEntry
    await assert.rejects(buffer(writeArchive([entry])), /a\.webp is not the file that was noted/)
  })
}

test('a fault of a content is the stream’s', async () => {
  const content = (async function* () {
    yield noise
    throw new Error('the disk is gone')
  })()
  await assert.rejects(buffer(writeArchive([{ path: 'a', modified, content, bytes: 200_000, crc32: 0 }])), /the disk is gone/)
})

test('the next entry is asked for when the one before is read', async () => {
  let asked = 0
  async function* slowly(): AsyncGenerator<WrittenEntry> {
    for (const entry of many(1_000)) {
      asked++
      yield { ...entry, content: noise }
    }
  }
  const stream = writeArchive(slowly())
  for await (const _ of stream) break
  assert.ok(asked > 0 && asked < 10, `${asked} asked for`)
})

test('an entry of 4 GiB is refused', async () => {
  const entry: WrittenEntry = { path: 'a', modified, content: chunks(), bytes: 2 ** 32, crc32: 0 }
  await assert.rejects(buffer(writeArchive([entry])), RangeError)
  assert.throws(() => archiveLength(lengths([entry])), RangeError)
})
