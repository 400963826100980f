import assert from 'node:assert/strict'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import { inspect } from '../../../test/support/archives.ts'
import { extraField, fields, UTF8, type ZipEntry, zipFile } from '../../../test/support/zip.ts'

const unicodePath = (of: Buffer, name: Buffer, version = 1) =>
  extraField(0x7075, Buffer.concat([Buffer.from([version]), fields([4, crc32(of)]), name]))

const cp437 = Buffer.from([0x84, 0x94, 0x81, 0x2e, 0x70, 0x6e, 0x67])
const utf8 = Buffer.from('å ø 写真.png')

const paths: readonly (readonly [says: string, entry: ZipEntry, path: string])[] = [
  ['UTF-8 by its flag', { name: utf8, flags: UTF8 }, 'å ø 写真.png'],
  ['UTF-8 without its flag, as macOS writes it', { name: utf8, flags: 0 }, 'å ø 写真.png'],
  ['code page 437, where it is not UTF-8', { name: cp437, flags: 0 }, 'äöü.png'],
  ['code page 437, where the flag is wrong', { name: cp437, flags: UTF8 }, 'äöü.png'],
  ['the Unicode path of Info-ZIP', { name: cp437, flags: 0, extra: unicodePath(cp437, utf8) }, 'å ø 写真.png'],
  ['no Unicode path of another name', { name: cp437, flags: 0, extra: unicodePath(utf8, utf8) }, 'äöü.png'],
  ['no Unicode path of another version', { name: cp437, flags: 0, extra: unicodePath(cp437, utf8, 2) }, 'äöü.png'],
  ['no Unicode path that is none', { name: cp437, flags: 0, extra: unicodePath(cp437, cp437) }, 'äöü.png'],
  ['backslashes as separators', { name: 'a\\b\\c.png' }, 'a/b/c.png'],
  ['no empty segments and dots', { name: './a//./b.png' }, 'a/b.png'],
  ['dots within a name', { name: 'a..b/..c/...png' }, 'a..b/..c/...png'],
  ['a colon behind one letter, as no drive', { name: 'a:b?.png' }, 'a:b?.png'],
  ['a colon in a folder', { name: 'a:b/c:d.png' }, 'a:b/c:d.png'],
  ['a drive that is no root', { name: 'x/C:/a.png' }, 'x/C:/a.png'],
  ['names of Windows devices', { name: 'con/NUL.png' }, 'con/NUL.png'],
  ['a name of 255 bytes', { name: `${'x'.repeat(251)}.png` }, `${'x'.repeat(251)}.png`],
]
for (const [says, entry, path] of paths) {
  test(`a path: ${says}`, async () => {
    const entries = await inspect(zipFile([{ data: Buffer.from('x') }, { ...entry, data: Buffer.from('x') }]))
    assert.equal(entries[1]?.path, path)
  })
}
