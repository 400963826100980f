import { walk } from '../gif/blocks.ts'
import type { FormatName } from '../image-formats.ts'
import { C2PA_UUID, fileBoxesIn } from '../isobmff/boxes.ts'
import { readDirectory } from '../tiff/directory.ts'
import { segmentsIn } from './containers/jpeg.ts'
import { chunksIn } from './containers/webp.ts'
import { unlessDamaged } from './damage.ts'

/**
 * Whether a file has a C2PA manifest (C2PA 2.2, appendix A: where each format embeds it). Found by walking from part to part, each
 * at least one byte further: at most 0.1 ms. It covers the bytes of this very file, so no changed one may keep it.
 */
export const hasManifest = (file: Buffer, format: FormatName): boolean =>
  unlessDamaged(() => finders[format]?.(file) ?? false, false)

const APP11 = 0xeb
/** ITU-T T.86 and ISO/IEC 19566-5: `JP`, two numbers, a `jumb` box, and in it the `jumd` box with its type, which begins with `c2pa`. */
const JUMBF = { box: 12, type: 24 } as const

function inJpeg(file: Buffer): boolean {
  for (const { marker, body } of segmentsIn(file)) {
    const text = (at: number, length: number) => body.toString('latin1', at, at + length)
    const isJumbf = marker === APP11 && text(0, 2) === 'JP' && text(JUMBF.box, 4) === 'jumb'
    if (isJumbf && text(JUMBF.type, 4) === 'c2pa') return true
  }
  return false
}

/** The type `caBX`, as a number: 15 MB may have 2,000 chunks, and texts take four times as long to compare. */
const PNG_MANIFEST = 0x63614258

function inPng(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at))
    if (file.readUInt32BE(at + 4) === PNG_MANIFEST) return true
  return false
}

const inWebp = (file: Buffer): boolean => chunksIn(file).some(({ type }) => type === 'C2PA')

const inIsobmff = (file: Buffer): boolean =>
  fileBoxesIn(file).some(({ type, body }) => type === 'uuid' && body.subarray(0, C2PA_UUID.length).equals(C2PA_UUID))

const inJxl = (file: Buffer): boolean => fileBoxesIn(file).some(({ type }) => type === 'jumb')

const TIFF_MANIFEST = 0xcd41
const inTiff = (file: Buffer): boolean => readDirectory(file)?.bytes(TIFF_MANIFEST) !== undefined

/** An application extension before the first image. */
function inGif(file: Buffer): boolean {
  for (const { kind, start } of walk(file)) {
    if (kind === 'image') return false
    if (file.toString('latin1', start + 3, start + 11) === 'C2PA_GIF') return true
  }
  return false
}

/** Where each format has its manifest. */
export const finders: { readonly [Name in FormatName]?: (file: Buffer) => boolean } = {
  jpeg: inJpeg,
  png: inPng,
  webp: inWebp,
  avif: inIsobmff,
  heic: inIsobmff,
  tiff: inTiff,
  gif: inGif,
  jxl: inJxl,
}
