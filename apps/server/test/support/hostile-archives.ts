import type { ErrorName } from '../../src/contract/errors.ts'
import { DEFLATED, endPart, extraField, fields, overlappingBomb, type ZipEntry, zipFile } from './zip.ts'

export const data = Buffer.alloc(1_000, 'pixel')
export const picture: ZipEntry = { name: 'a.png', data, method: DEFLATED }
const namedEntry = (name: string | Buffer): Buffer => zipFile([picture, { ...picture, name }])
/** Fields of the ZIP64 end record. */
const locator = fields([4, 0x07064b50], [4, 0], [8, 5], [4, 1])
export const signature = Buffer.from('PK\x05\x06')

export const seventyThousand = zipFile(manyEntries(70_000), { zip64: true })

/** Archives that are refused as a whole, with the expected messages. */
export const refusedArchives: readonly (readonly [kind: string, bytes: Buffer, message: RegExp, code?: ErrorName])[] = [
  ['nothing', Buffer.alloc(0), /no ZIP file/],
  ['a text', Buffer.from('PK is how they begin'), /no ZIP file/],
  ['another archive', Buffer.concat([Buffer.from('Rar!\x1a\x07'), Buffer.alloc(100_000)]), /no ZIP file/],
  ['an empty archive', zipFile([]), /contains no images/, 'archive_has_no_images'],
  ['folders alone', zipFile([{ name: 'a/' }, { name: 'a/b/' }]), /contains no images/, 'archive_has_no_images'],
  ['its end cut off', zipFile([picture]).subarray(0, -1), /its end is missing/],
  ['an end hidden in the comment', zipFile([picture], { comment: zipFile([picture]) }), /hides a second end/],
  ['one disk of several', zipFile([picture], { end: { disk: 1 } }), /was split/],
  ['a directory on another disk', zipFile([picture], { end: { directoryDisk: 1 } }), /was split/],
  ['entries on several disks', zipFile([picture], { end: { entries: 2 } }), /was split/],
  ['an entry on another disk', zipFile([{ ...picture, disk: 2 }]), /"a.png" is in another part/],
  ['fewer entries than said', zipFile([picture], { end: { entries: 2, entriesHere: 2 } }), /too short for its entries|damaged/],
  ['more entries than said', zipFile([picture, picture], { end: { entries: 1, entriesHere: 1 } }), /other entries than its end/],
  ['65,536 entries that count as none', zipFile(manyEntries(65_536), { end: { entries: 0, entriesHere: 0 } }), /other entries/],
  ['a directory beyond the end', zipFile([picture], { end: { directoryAt: 0x7fffffff } }), /ends before its directory/],
  ['a directory longer than all', zipFile([picture], { end: { directoryBytes: 0x7fffffff } }), /ends before its directory/],
  ['a directory shorter than it is', zipFile([picture], { end: { directoryBytes: 46 } }), /damaged/],
  ['something in the directory', zipFile([picture], { behindDirectory: Buffer.alloc(50) }), /other entries than its end/],
  ['a ZIP64 end without its record', zipFile([picture], { behindDirectory: locator }), /record is missing/],
  ['a ZIP64 end with no room for its record', Buffer.concat([locator, endPart({}, 0, 0, 0)]), /record is missing/],
  ['a ZIP64 end of several disks', zipFile([picture], { zip64: true, end64: { disks: 2 } }), /was split/],
  ['a ZIP64 end of the wrong length', zipFile([picture], { zip64: true, end64: { recordBytes: 60 } }), /wrong length/],
  ['a ZIP64 end on another disk', zipFile([picture], { zip64: true, end64: { disk: 1 } }), /was split/],
  ['ends that contradict each other', zipFile([picture], { zip64: true, end: { directoryBytes: 1 } }), /contradict/],
  ['a ZIP64 place that nothing counts to', zipFile([picture], { zip64: true, end64: { directoryAt: 2 ** 62 } }), /ends before/],
  ['2⁶² entries', zipFile([picture], { zip64: true, end64: { entries: 2 ** 62 } }), /too short for its entries/],
  ['an entry whose row ends behind the directory', longRow(), /directory is damaged/],
  ['an encrypted entry', zipFile([{ ...picture, flags: 1 }]), /"a.png" is encrypted/],
  ['strong encryption', zipFile([{ ...picture, flags: 0x40 }]), /encrypted/],
  ['a masked directory', zipFile([{ ...picture, flags: 0x2000 }]), /encrypted/],
  ['AES', zipFile([{ ...picture, method: 99 }]), /encrypted/],
  ['a field of AES', zipFile([{ ...picture, extra: extraField(0x9901, Buffer.alloc(7)) }]), /encrypted/],
  ['LZMA', zipFile([{ ...picture, method: 14 }]), /"a.png" is compressed by LZMA; only Deflate is read/],
  ['an unknown method', zipFile([{ ...picture, method: 77 }]), /method 77/],
  ['a patch', zipFile([{ ...picture, flags: 0x20 }]), /only Deflate is read/],
  ['more than Deflate can unpack to', zipFile([{ ...picture, bytes: 2 ** 31 }]), /unpack to 2147483648, which they cannot/],
  ['a stored entry of two sizes', zipFile([{ name: 'a.png', data, bytes: 999 }]), /which they cannot/],
  [
    'a ZIP64 size that is missing',
    zipFile([{ ...picture, bytes: 0xffffffff, extra: extraField(1, Buffer.alloc(4)) }]),
    /ZIP64 sizes/,
  ],
  ['a ZIP64 size beyond 2⁵³', zipFile([{ ...picture, bytes: 0xffffffff, extra: extraField(1, fields([8, -1])) }]), /ZIP64 sizes/],
  ['two entries of one header', zipFile([picture, { ...picture, headerAt: 0 }]), /overlaps "a.png"/],
  ['a header within the data', zipFile([picture, { ...picture, name: 'b.png', headerAt: 40 }]), /"a.png" overlaps "b.png"/],
  ['data that reaches into the directory', zipFile([{ ...picture, packedBytes: 900 }]), /overlaps the directory/],
  ['a header behind the directory', zipFile([{ ...picture, headerAt: 0x7fffffff }]), /begins behind the directory/],
  ['a bomb of overlapping files', overlappingBomb(200, 500_000), /"0.bmp" overlaps "1.bmp"/],
  ['a path that leads out', namedEntry('../a.png'), /"\.\.\/a\.png" leads out/],
  ['one that leads out later', namedEntry('a/../../b.png'), /leads out/],
  ['one that leads out on Windows', namedEntry('..\\a.png'), /leads out/],
  ['one that leads out of a drive', namedEntry('c:..\\a.png'), /leads out/],
  ['an absolute path', namedEntry('/etc/a.png'), /absolute/],
  ['one of Windows', namedEntry('C:\\a.png'), /absolute/],
  ['one of Windows with a slash', namedEntry('c:/a.png'), /absolute/],
  ['a whole drive', namedEntry('c:'), /absolute/],
  ['one of a network', namedEntry('\\\\server\\a.png'), /absolute/],
  ['a name with NUL', namedEntry('a.png\0.txt'), /"a\.png\\u0000\.txt" has control characters/],
  ['a name with a line feed', namedEntry('a\n.png'), /control characters/],
  ['a name with a control character of C1', namedEntry('a\u009b.png'), /control characters/],
  ['a name of 256 bytes', namedEntry(`${'ä'.repeat(126)}.png`), /more than 255 bytes/],
  ['a path of 1,025 bytes', namedEntry(`${'abcd/'.repeat(204)}a.png`), /more than 1,024 bytes/],
  [
    'a path of 440 bytes that has 1,100 in UTF-8',
    namedEntry(Buffer.from('\xb0\xb0\xb0/'.repeat(110), 'latin1')),
    /more than 1,024 bytes/,
  ],
  ['a path of 65,535 bytes', namedEntry(Buffer.alloc(0xffff, 0x84)), /"ä+…" has more than 1,024 bytes/],
  ['an unsafe folder', zipFile([picture, { name: '../' }]), /leads out/],
  ['1,001 files', zipFile(manyEntries(1_001)), /1001 files, and 1000 are allowed/, 'archive_too_large'],
  ['70,000 files', seventyThousand, /70000 entries/, 'archive_too_large'],
  ['a directory of 5 MB', zipFile(manyEntries(80, Buffer.alloc(0xf000))), /directory alone/, 'archive_too_large'],
  ['6 GB unpacked', zipFile([6, 7].map(sixGigabytes)), /5723 MB unpacked, and 5120 MB are allowed/, 'archive_too_large'],
]

/** The comment's stated length is one byte more than what is there. */
function longRow(): Buffer {
  const bytes = zipFile([picture])
  bytes.writeUInt16LE(1, bytes.length - 22 - 46 - 5 + 32)
  return bytes
}

export function manyEntries(count: number, comment = Buffer.alloc(0)): readonly ZipEntry[] {
  return Array.from({ length: count }, (_, nth) => ({ name: `${nth}.png`, data: Buffer.from('x'), comment }))
}

/** 3 MB of zeros that claim to be 3 GB in Deflate. */
function sixGigabytes(nth: number): ZipEntry {
  return { name: `${nth}.bmp`, method: DEFLATED, packed: Buffer.alloc(3_000_000), bytes: 3_000_000_000 }
}
