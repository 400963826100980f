import type { Codec } from '../codec.ts'
import { walk } from '../gif/blocks.ts'
import { C2PA_UUID, fileBoxesIn } from '../isobmff/boxes.ts'
import { readDirectory } from '../tiff/directory.ts'
import { segmentsIn } from './containers/jpeg.ts'
import { chunksIn } from './containers/webp.ts'
import { unlessDamaged } from './damage.ts'

/** Whether a file has a C2PA manifest, which covers the bytes of this very file: no changed one may keep it. */
export const hasManifest = (file: Buffer, { isManifestIn }: Pick<Codec, 'isManifestIn'>): boolean =>
  unlessDamaged(() => isManifestIn?.(file) ?? false, false)

// Each format has a place of its own for a manifest (C2PA 2.2, appendix A), which is found by walking from part to part, each at least one
// byte further: at most 0.1 ms.

const APP11 = 0xeb
/** ITU-T T.86 and ISO/IEC 19566-5: `JP`, two numbers, a `jumb` box, and in it the `jumd` box with its type, which begins with `c2pa`. */
const JUMBF = { box: 12, type: 24 } as const

export function isManifestInJpeg(file: Buffer): boolean {
  for (const { marker, body } of segmentsIn(file)) {
    const text = (at: number, length: number) => body.toString('latin1', at, at + length)
    const isJumbf = marker === APP11 && text(0, 2) === 'JP' && text(JUMBF.box, 4) === 'jumb'
    if (isJumbf && text(JUMBF.type, 4) === 'c2pa') return true
  }
  return false
}

/** The type `caBX`, as a number: 15 MB may have 2,000 chunks, and texts take four times as long to compare. */
const PNG_MANIFEST = 0x63614258

export function isManifestInPng(file: Buffer): boolean {
  for (let at = 8; at + 12 <= file.length; at += 12 + file.readUInt32BE(at))
    if (file.readUInt32BE(at + 4) === PNG_MANIFEST) return true
  return false
}

export const isManifestInWebp = (file: Buffer): boolean => chunksIn(file).some(({ type }) => type === 'C2PA')

export const isManifestInIsobmff = (file: Buffer): boolean =>
  fileBoxesIn(file).some(({ type, body }) => type === 'uuid' && body.subarray(0, C2PA_UUID.length).equals(C2PA_UUID))

export const isManifestInJxl = (file: Buffer): boolean => fileBoxesIn(file).some(({ type }) => type === 'jumb')

const TIFF_MANIFEST = 0xcd41
export const isManifestInTiff = (file: Buffer): boolean => readDirectory(file)?.bytes(TIFF_MANIFEST) !== undefined

/** An application extension before the first image. */
export function isManifestInGif(file: Buffer): boolean {
  for (const { kind, start } of walk(file)) {
    if (kind === 'image') return false
    if (file.toString('latin1', start + 3, start + 11) === 'C2PA_GIF') return true
  }
  return false
}
