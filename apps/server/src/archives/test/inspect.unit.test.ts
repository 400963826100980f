import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ARCHIVE_LIMITS, inspect, sourceOf } from '../../../test/support/archives.ts'
import {
  data,
  manyEntries,
  picture,
  refusedArchives,
  seventyThousand,
  signature,
} from '../../../test/support/hostile-archives.ts'
import { type ZipEntry, zipFile } from '../../../test/support/zip.ts'
import { inspectArchive } from '../inspect.ts'

for (const [kind, bytes, message, code = 'invalid_archive'] of refusedArchives) {
  test(`refused: ${kind}`, () => assert.rejects(inspect(bytes), { name: 'ApiError', code, message }))
}

test('an archive that is too large is not read at all', async () => {
  const source = sourceOf(zipFile([picture]))
  await assert.rejects(inspectArchive(source, { ...ARCHIVE_LIMITS, archiveBytes: 100 }), { code: 'archive_too_large' })
  assert.deepEqual(source.noted, { reads: 0, bytes: 0 })
})

test('too many entries are refused before the directory is read', async () => {
  const source = sourceOf(seventyThousand)
  await assert.rejects(inspectArchive(source, ARCHIVE_LIMITS), { code: 'archive_too_large' })
  assert.ok(source.noted.bytes < 70_000 && source.noted.reads === 2)
})

test('of a good archive, only its end and its directory are read', async () => {
  const source = sourceOf(zipFile(Array.from({ length: 100 }, (_, nth) => ({ name: `${nth}.png`, data: Buffer.alloc(100_000) }))))
  assert.equal((await inspectArchive(source, ARCHIVE_LIMITS)).length, 100)
  assert.ok(source.noted.reads === 2 && source.noted.bytes < 80_000)
})

const acceptedTexts: readonly (readonly [kind: string, bytes: Buffer])[] = [
  ['stored', zipFile([{ ...picture, method: 0 }])],
  ['deflated', zipFile([picture])],
  ['with sizes behind the data', zipFile([{ ...picture, descriptor: true }])],
  ['ZIP64', zipFile([{ ...picture, zip64: true }], { zip64: true })],
  ['behind a program', zipFile([picture], { before: Buffer.alloc(9_999, 'MZ') })],
  ['behind a program that its offsets count', zipFile([picture], { before: Buffer.alloc(9_999, 'MZ'), adjusted: true })],
  ['ZIP64 behind a program', zipFile([{ ...picture, zip64: true }], { zip64: true, before: Buffer.alloc(999) })],
  ['ZIP64 with its record in another place than said', zipFile([picture], { zip64: true, end64: { recordAt: 2 ** 40 } })],
  ['with other data behind', zipFile([picture], { behind: Buffer.alloc(3) })],
  ['with as much behind as unzip reads', zipFile([picture], { behind: Buffer.alloc(65_535, 'x') })],
  ['ZIP64 with other data behind', zipFile([{ ...picture, zip64: true }], { zip64: true, behind: Buffer.alloc(99) })],
  ['with a comment, and a line end behind', zipFile([picture], { comment: Buffer.from('c'), behind: Buffer.from('\r\n') })],
  ['with what only looks like an end behind', zipFile([picture], { behind: signature })],
  ['with a comment', zipFile([{ ...picture, comment: Buffer.from('of the entry') }], { comment: Buffer.alloc(0xffff, 'c') })],
  ['with a comment that mentions an end', zipFile([picture], { comment: Buffer.concat([signature, Buffer.alloc(50, 'c')]) })],
  ['with damaged extra fields', zipFile([{ ...picture, extra: Buffer.from([1, 0, 99, 0, 5]) }])],
]
for (const [kind, bytes] of acceptedTexts) {
  test(`accepted: ${kind}`, async () => {
    const [entry] = await inspect(bytes)
    assert.deepEqual([entry?.path, entry?.kind, entry?.bytes], ['a.png', 'file', 1_000])
  })
}

test('what cannot be an image is skipped, with the reason', async () => {
  const kinds: readonly (readonly [kind: string, entry: ZipEntry])[] = [
    ['file', picture],
    ['file', picture],
    ['folder', { name: 'a/' }],
    ['folder', { name: 'a\\' }],
    ['folder', { name: 'unix', attributes: 0o040755 * 2 ** 16 }],
    ['folder', { name: 'dos', attributes: 0x10, madeBy: 20 }],
    ['link', { ...picture, attributes: 0o120777 * 2 ** 16 }],
    ['device', { ...picture, attributes: 0o060666 * 2 ** 16 }],
    ['device', { ...picture, attributes: 0o010666 * 2 ** 16 }],
    ['macos', { ...picture, name: '__MACOSX/a/._a.png' }],
    ['hidden', { ...picture, name: 'a/.DS_Store' }],
    ['hidden', { ...picture, name: '.git/a.png' }],
    ['system', { ...picture, name: 'a/Thumbs.db' }],
    ['system', { ...picture, name: 'DESKTOP.INI' }],
    ['system', { ...picture, name: 'a/Icon\r' }],
    ['file', { name: 'empty.png' }],
    ['file', { ...picture, name: 'notes.txt' }],
    // Encryption and methods matter only where something is unpacked.
    ['macos', { ...picture, name: '__MACOSX/._a.png', flags: 1, method: 14 }],
  ]
  const entries = await inspect(zipFile(kinds.map(([, entry]) => entry)))
  assert.deepEqual(
    entries.map(({ kind }) => kind),
    kinds.map(([kind]) => kind),
  )
  assert.deepEqual(
    entries.map(({ index }) => index),
    kinds.map((_, index) => index),
  )
})

test('skipped entries do not count as files', async () => {
  const notes = Array.from({ length: 1_500 }, (_, nth) => ({ name: `__MACOSX/._${nth}`, data }))
  assert.equal((await inspect(zipFile([...notes, ...manyEntries(1_000)]))).length, 2_500)
})
