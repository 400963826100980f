import { blobOf, type FileInput } from './files.ts'

/** Files by their paths, with `/` between folders. */
export type Files = Readonly<Record<string, FileInput>>

const LOCAL = 0x04034b50
const CENTRAL = 0x02014b50
const END = 0x06054b50
/** Names are UTF-8: bit 11. */
const UTF8 = 0x0800
/** 1 January 1980, the first day that a ZIP can say. */
const DAY = 0x21
const VERSION = 20

/** A ZIP of files as they are: images do not get smaller (APPNOTE 4.3). */
export async function zipOf(files: Files): Promise<Blob> {
  const bodies: Uint8Array<ArrayBuffer>[] = []
  const directory: Uint8Array<ArrayBuffer>[] = []
  let [at, size, count] = [0, 0, 0]
  for (const [path, file] of Object.entries(files)) {
    const bytes = new Uint8Array(await (await blobOf(file)).arrayBuffer())
    const name = new TextEncoder().encode(path)
    const facts: Numbers = [
      [2, UTF8],
      [2, 0],
      [2, 0],
      [2, DAY],
      [4, crc32(bytes)],
      [4, bytes.length],
      [4, bytes.length],
      [2, name.length],
      [2, 0],
    ]
    const local = record([[4, LOCAL], [2, VERSION], ...facts])
    const central = record([[4, CENTRAL], [2, VERSION], [2, VERSION], ...facts, [2, 0], [2, 0], [2, 0], [4, 0], [4, at]])
    bodies.push(local, name, bytes)
    directory.push(central, name)
    at += local.length + name.length + bytes.length
    size += central.length + name.length
    count++
  }
  const end = record([
    [4, END],
    [2, 0],
    [2, 0],
    [2, count],
    [2, count],
    [4, size],
    [4, at],
    [2, 0],
  ])
  return new Blob([...bodies, ...directory, end], { type: 'application/zip' })
}

/** Bytes and value of each, the lowest byte first. */
type Numbers = readonly (readonly [bytes: number, value: number])[]

const record = (numbers: Numbers): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(numbers.flatMap(([bytes, value]) => Array.from({ length: bytes }, (_, nth) => (value >>> (8 * nth)) & 255)))

const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let value = ~0
  for (const byte of bytes) value = (table[(value ^ byte) & 255] ?? 0) ^ (value >>> 8)
  return ~value >>> 0
}
