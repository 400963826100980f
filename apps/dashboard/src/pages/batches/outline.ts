import { isImageName } from '@pixelmill/codecs/image-formats'
import { zipBytes } from 'pixelmill-client/src/zip'
import { MOST_IMAGE_BYTES } from '../../api/image-limits.ts'
import { shownLimit } from '../../shown/bytes.ts'
import type { ChosenFile } from './chosen-files.ts'
import { isHidden, looksLikePicture } from './looks-like-picture.ts'
import { readZip } from './read-zip.ts'

/** A file of a batch to be sent. */
export interface OutlinedFile {
  readonly path: string
  readonly bytes: number
  /** Why it is left out, or will not be converted; undefined for a picture. */
  readonly skipped?: string
  /** The file; undefined inside an archive. */
  readonly file?: File
}

/** The contents of a batch to be sent. */
export interface Outline {
  /** A ZIP that is sent as it is; undefined if one is built here. */
  readonly archive?: File
  /** The files; undefined if the archive does not list them: the server will find out. */
  readonly files: readonly OutlinedFile[] | undefined
}

const NO_PICTURE = 'no picture'
const HIDDEN = 'hidden file'
const TOO_LARGE = `larger than ${shownLimit(MOST_IMAGE_BYTES)}`
/** The API refuses an archive with a longer path. */
const LONGEST_PATH_BYTES = 1_024
const TOO_LONG = 'path too long'

export const isZip = ({ name, type }: File): boolean => /\.zip$/i.test(name) || type === 'application/zip'

function skippedBecause(path: string, bytes: number, isPicture: boolean): string | undefined {
  if (isHidden(path)) return HIDDEN
  if (!isPicture) return NO_PICTURE
  return bytes > MOST_IMAGE_BYTES ? TOO_LARGE : undefined
}

const outlineOf = (path: string, bytes: number, skipReason: string | undefined): OutlinedFile => ({
  path,
  bytes,
  ...(skipReason !== undefined && { skipped: skipReason }),
})

/** @throws RangeError for a file that is not a ZIP, or is damaged */
export async function outlineArchive(archive: File): Promise<Outline> {
  const rows = await readZip(archive)
  return {
    archive,
    files: rows?.map(({ path, bytes }) => outlineOf(path, bytes, skippedBecause(path, bytes, isImageName(path)))),
  }
}

/** A repeated name, as from two folders dropped one after the other, gets a number: "a (2).jpg". */
function unlike(path: string, pathsInUse: ReadonlySet<string>): string {
  const [, stem = path, extension = ''] = /^(.*?)(\.[^./]*)?$/.exec(path) ?? []
  for (let nth = 2; ; nth++) if (!pathsInUse.has(`${stem} (${nth})${extension}`)) return `${stem} (${nth})${extension}`
}

const isSame = (a: File | undefined, b: File): boolean => a?.size === b.size && a.lastModified === b.lastModified

/** Adds chosen files to those chosen before; an identical file is added once. */
export async function outlineFiles(before: readonly OutlinedFile[], choice: readonly ChosenFile[]): Promise<Outline> {
  const files = new Map(before.map((each) => [each.path, each]))
  for (const { path: own, file } of choice) {
    if (isSame(files.get(own)?.file, file)) continue
    const path = files.has(own) ? unlike(own, new Set(files.keys())) : own
    const isTooLong = new TextEncoder().encode(path).length > LONGEST_PATH_BYTES
    const skipReason = isTooLong
      ? TOO_LONG
      : skippedBecause(path, file.size, isHidden(path) || (await looksLikePicture(path, file)))
    files.set(path, { ...outlineOf(path, file.size, skipReason), file })
  }
  return { files: [...files.values()] }
}

export const picturesOf = ({ files = [] }: Outline): readonly OutlinedFile[] =>
  files.filter(({ skipped }) => skipped === undefined)
export const skippedOf = ({ files = [] }: Outline): readonly OutlinedFile[] =>
  files.filter(({ skipped }) => skipped !== undefined)

/** The bytes of a ZIP that is sent as it is, or of the one that is written. */
export const bytesToSend = (outline: Outline): number => outline.archive?.size ?? zipBytes(picturesOf(outline))

/** Maximum length of a name in the API. */
export const LONGEST_NAME = 100
/** Characters that the API refuses in names: control and invisible characters. */
const NOT_IN_NAMES = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu

/** The default name of a batch: the only top-level folder, or the ZIP; empty if there is neither. */
export function nameOf({ archive, files = [] }: Outline): string {
  const folders = new Set(files.map(({ path }) => path.slice(0, Math.max(0, path.indexOf('/')))))
  const [folder = ''] = folders
  const name = archive ? archive.name.replace(/\.zip$/i, '') : folders.size === 1 ? folder : ''
  return [...name.replaceAll(NOT_IN_NAMES, '').trim()].slice(0, LONGEST_NAME).join('')
}
