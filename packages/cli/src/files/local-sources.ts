import { type Dirent, existsSync, type Stats, statSync } from 'node:fs'
import { glob, readdir, readFile, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, sep } from 'node:path'
import { isImageName } from '@pixelmill/codecs/image-formats'
import { ImageFailure, systemCode } from '../failure.ts'
import type { Listed, SourceFile, Sources, SourceVersion } from './source.ts'

/**
 * The images of a file, a folder with its subfolders, or a pattern such as `photos/**\/*.jpg`. In folders and patterns, files without an
 * extension of an accepted format and hidden ones are left out; symbolic links are followed. Undefined if there is no such file or folder,
 * or no image that matches the pattern.
 * @param targetFolder a folder that is not entered, such as the target
 */
export async function localSources(place: string, targetFolder: string | undefined): Promise<Sources | undefined> {
  if (existsSync(place)) {
    const status = await stat(place)
    if (!status.isDirectory())
      return listOf(async function* () {
        yield localFile(place)
      })
    return belowFolder(place, () => filesBelow(place, '', [], targetFolder))
  }
  if (!isPattern(place)) return undefined
  const sources = belowFolder(fixedPart(place), () => matches(place, targetFolder))
  for await (const _ of sources.list()) return sources
  return undefined
}

const GLOB = /[*?[{]/

export const isPattern = (place: string): boolean => GLOB.test(place)

function listOf(list: () => AsyncGenerator<Listed>): Sources {
  return {
    list,
    async count() {
      let number = 0
      for await (const _ of list()) number++
      return number
    },
  }
}

function belowFolder(folder: string, list: () => AsyncGenerator<Listed>): Sources {
  const root = resolve(folder)
  const inside = root.endsWith(sep) ? root : `${root}${sep}`
  return {
    ...listOf(list),
    isGone: (origin) => origin.startsWith(inside) && !existsSync(origin),
    folders: [folder],
  }
}

async function* filesBelow(
  folder: string,
  path: string,
  above: readonly string[],
  targetFolder: string | undefined,
): AsyncGenerator<Listed> {
  const real = await realpath(folder).catch(() => folder)
  // A link to a folder above would be followed for ever; what it leads to is listed under its own path.
  if (above.includes(real) || real === targetFolder) return
  let entries: readonly Dirent[]
  try {
    entries = await readdir(folder, { withFileTypes: true })
  } catch (error) {
    yield { name: folder, failure: new ImageFailure('unreadable', `${folder} (${systemCode(error)})`) }
    return
  }
  for (const entry of entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))) {
    if (entry.name.startsWith('.')) continue
    const place = join(folder, entry.name)
    const below = path === '' ? entry.name : `${path}/${entry.name}`
    if (isFolder(entry, place)) yield* filesBelow(place, below, [...above, real], targetFolder)
    else if (isImageName(entry.name) && !isSpecial(place, entry)) yield localFile(place, below)
  }
}

/** The folders of a pattern before its first wildcard: a folder that exists is meant by its name, whatever characters that has. */
export function fixedPart(pattern: string): string {
  return dividedPattern(pattern).root
}

function dividedPattern(pattern: string): { readonly root: string; readonly rest: string } {
  const parts = pattern.split('/')
  let fixedParts = 0
  while (fixedParts < parts.length - 1 && isMeantByName(parts, fixedParts)) fixedParts++
  const root = fixedParts === 0 ? '.' : parts.slice(0, fixedParts).join('/') || '/'
  return { root, rest: parts.slice(fixedParts).join('/') }
}

const isMeantByName = (parts: readonly string[], at: number): boolean =>
  !GLOB.test(parts[at] ?? '') || statOf(parts.slice(0, at + 1).join('/'))?.isDirectory() === true

/** Paths of results are those below the fixed part. */
async function* matches(pattern: string, targetFolder: string | undefined): AsyncGenerator<Listed> {
  const { root, rest } = dividedPattern(pattern)
  // What is in the target is not listed, unless it is the folder of the pattern, or above it.
  const left = targetFolder && existsSync(root) ? relative(await realpath(root), targetFolder) : undefined
  const paths: string[] = []
  for await (const path of glob(rest, { cwd: root })) paths.push(path)
  for (const below of paths.toSorted()) {
    const path = join(root, below)
    const isInside = left && below.startsWith(`${left}${sep}`)
    if (isImageName(path) && !isInside && !basename(path).startsWith('.') && !isSpecial(path)) yield localFile(path, below)
  }
}

/** A pipe or a device, which would be waited for. */
const isSpecial = (place: string, entry?: Dirent): boolean => !entry?.isFile() && statOf(place)?.isFile() === false

/** A broken link counts as a file, whose reading then fails by name. */
const isFolder = (entry: Dirent, place: string): boolean =>
  entry.isDirectory() || (entry.isSymbolicLink() && statOf(place)?.isDirectory() === true)

/** The status of a path; undefined for what is gone by now, and for links that lead to themselves. */
function statOf(place: string): Stats | undefined {
  try {
    return statSync(place, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}

export function localFile(place: string, path = basename(place)): SourceFile {
  return {
    name: place,
    path,
    location: place,
    version: () => versionOf(place),
    async read() {
      try {
        return await readFile(place)
      } catch (error) {
        throw unreadable(place, error)
      }
    },
  }
}

/** Synchronous: for the thousands of unchanged files of a folder that takes a tenth of the time. */
function versionOf(place: string): SourceVersion {
  try {
    const { size, mtimeMs } = statSync(place)
    return { bytes: size, tag: String(mtimeMs) }
  } catch (error) {
    throw unreadable(place, error)
  }
}

function unreadable(place: string, error: unknown): ImageFailure {
  // Bytes that are not UTF-8 were replaced when the name was read, so no file has this name.
  if (systemCode(error) === 'ENOENT' && place.includes('\ufffd')) return new ImageFailure('invalid_name')
  return new ImageFailure('unreadable', systemCode(error), { cause: error })
}
