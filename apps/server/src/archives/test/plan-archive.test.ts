import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { inspect, unpack } from '../../../test/support/archives.ts'
import { away, file, modifiedAt, noise, writtenArchive, zipPrograms } from '../../../test/support/planned-archives.ts'
import { inspectArchive } from '../inspect.ts'
import { type ArchivePlan, fingerprintOf, type PlannedFile, planArchive } from '../plan-archive.ts'
import { readEntry } from '../read-entry.ts'
import { readPlan } from '../read-plan.ts'

const sample: readonly PlannedFile<Buffer[]>[] = [
  file('manifest.json', Buffer.from('[]')),
  file('ü/写真 😊.webp', noise),
  file('ü/empty.webp', Buffer.alloc(0)),
  away('read.webp', noise),
]
const folder = mkdtempSync(join(tmpdir(), 'archives-'))
after(() => rmSync(folder, { recursive: true }))

test('what is written is read again', async () => {
  const bytes = await writtenArchive(sample)
  assert.deepEqual(
    (await inspect(bytes)).map(({ path, bytes, kind }) => [path, bytes, kind]),
    [
      ['manifest.json', 2, 'file'],
      ['ü/写真 😊.webp', 100_000, 'file'],
      ['ü/empty.webp', 0, 'file'],
      ['read.webp', 100_000, 'file'],
    ],
  )
  assert.ok((await unpack(bytes, 1)).equals(noise))
  assert.ok((await unpack(bytes, 3)).equals(noise))
})

test('the same files give the same bytes and fingerprint, another file or time another', async () => {
  const bytes = await writtenArchive(sample)
  assert.ok((await writtenArchive(sample)).equals(bytes))
  const prints = [sample, sample.with(0, file('manifest.json', Buffer.from('{}'))), sample.slice(1)].map((files) =>
    fingerprintOf(planArchive(files, modifiedAt)),
  )
  assert.equal(new Set([...prints, fingerprintOf(planArchive(sample, new Date(0)))]).size, 4)
  assert.equal(fingerprintOf(planArchive(sample, modifiedAt)), prints[0])
})

for (const { name, skip, findsNothingWrong } of zipPrograms) {
  test(`${name} finds nothing wrong`, { skip }, async () => {
    await findsNothingWrong(await writtenArchive(sample))
    // Info-ZIP calls an archive of nothing a fault.
    if (name !== 'unzip') await findsNothingWrong(await writtenArchive([]))
  })
}

test('python3 reads names, times and modes as written', { skip: spawnSync('python3', ['-V']).status !== 0 }, async () => {
  const path = join(folder, 'names.zip')
  writeFileSync(path, await writtenArchive(sample))
  const program =
    'import sys, json, zipfile; print(json.dumps([[i.filename, i.date_time, oct(i.external_attr >> 16)] for i in zipfile.ZipFile(sys.argv[1]).infolist()]))'
  const { stdout } = spawnSync('python3', ['-c', program, path], { encoding: 'utf8' })
  const expected = sample.map(({ path }) => [path, [2026, 11, 21, 10, 20, 30], '0o100644'])
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
    const bytes = await writtenArchive([file('a', noise)], new Date(at))
    assert.deepEqual([bytes.readUInt16LE(12), bytes.readUInt16LE(10)], [date, time])
  })
}

/** What a plan says of an archive that is too large to be made; files that are away are of zeros. */
async function readSparse(plan: ArchivePlan<Buffer[]>, position: number, length: number): Promise<Buffer> {
  return await buffer(
    await readPlan(plan, { first: position, last: position + length - 1 }, async (_content, _first, bytes) =>
      Buffer.alloc(bytes),
    ),
  )
}

test('places beyond 4 GiB take ZIP64', async () => {
  const bytes = 1_500_000_000
  const large = ['a', 'b', 'c'].map((path) => ({ path, content: [], bytes, crc32: 1 }))
  const plan = planArchive([...large, file('d', Buffer.from('behind'))], modifiedAt)
  const source = { size: plan.size, read: (position: number, length: number) => readSparse(plan, position, length) }
  const foundEntries = await inspectArchive(source, { archiveBytes: plan.size, entries: 4, unpackedBytes: plan.size })
  assert.deepEqual(
    foundEntries.map(({ packed }) => packed.headerAt),
    [0, 1, 2, 3].map((nth) => nth * (bytes + 31)),
  )
  const last = foundEntries[3]
  assert.ok(last)
  assert.equal(String(await readEntry(source, last, 100)), 'behind')
})

test('an entry of 4 GiB is refused', () => {
  assert.throws(() => planArchive([{ path: 'a', content: [], bytes: 2 ** 32, crc32: 0 }], modifiedAt), RangeError)
})
