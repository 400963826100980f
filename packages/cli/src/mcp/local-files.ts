import { randomUUID } from 'node:crypto'
import { existsSync, lstatSync, realpathSync } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { invalidParam } from '@pixelmill/codecs/contract/image-errors'
import { systemCode } from '../failure.ts'
import { makeFolder } from '../files/make-folder.ts'

/** The files that an agent may use: those below one folder, wherever links lead. */
export interface LocalFiles {
  /** The absolute path of an existing file or folder. @throws ImageError invalid_params */
  existing(path: string): string
  /** The absolute path of a folder that may be made. @throws ImageError invalid_params */
  folder(path: string): string
  /** @throws ImageError invalid_params */
  read(path: string): Promise<Buffer>
  /** Writes a new file, with -2, -3 and so on in its name where that is taken, and returns its path below the root. */
  write(folder: string, name: string, bytes: Buffer): Promise<string>
}

/** Names that are tried before a folder counts as full. */
const TRIES = 10_000

export function localFiles(root: string): LocalFiles {
  const top = realpathSync(root)
  const fault = (message: string) => invalidParam('path', 'custom', message)
  function inside(path: string): string {
    if (path.includes('\0')) throw fault('A path has no zero bytes.')
    const place = resolve(top, path)
    const way = relative(top, place)
    if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) throw fault(`${path} is not below ${top}.`)
    return place
  }
  /** The nearest folder above that exists decides where a path leads. */
  function real(path: string): string {
    const place = inside(path)
    let existing = place
    while (!isThere(existing)) existing = dirname(existing)
    return join(inside(followLink(existing, path)), relative(existing, place))
  }
  function followLink(place: string, path: string): string {
    try {
      return realpathSync(place)
    } catch (error) {
      throw fault(`${path} leads nowhere (${systemCode(error)}).`)
    }
  }
  const existing = (path: string): string => {
    const place = real(path)
    if (!existsSync(place)) throw fault(`There is no ${path} below ${top}.`)
    return place
  }
  return {
    existing,
    folder: real,
    async read(path) {
      try {
        return await readFile(existing(path))
      } catch (error) {
        if (error instanceof Error && 'syscall' in error) throw fault(`${path} cannot be read (${systemCode(error)}).`)
        throw error
      }
    },
    async write(folder, name, bytes) {
      const place = real(folder)
      const temporary = join(place, `.${randomUUID()}.incomplete`)
      try {
        makeFolder(place)
        await writeFile(temporary, bytes)
        return relative(top, await takeName(temporary, place, name))
      } catch (error) {
        if (error instanceof Error && 'syscall' in error) throw fault(`${folder} cannot be written (${systemCode(error)}).`)
        throw error
      } finally {
        // Where there is no such folder, there is no such file.
        await rm(temporary, { force: true }).catch(() => {})
      }
    },
  }
}

/** A link that leads nowhere counts as there, and so does what may not be looked at. */
function isThere(place: string): boolean {
  try {
    return lstatSync(place, { throwIfNoEntry: false }) !== undefined
  } catch {
    return true
  }
}

/** A link fails where the name is taken, so that no file is replaced. */
async function takeName(temporary: string, folder: string, name: string): Promise<string> {
  const [stem, extension] = splitName(name)
  for (let number = 1; number <= TRIES; number++) {
    const place = join(folder, number === 1 ? name : `${stem}-${number}${extension}`)
    try {
      await link(temporary, place)
      return place
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error
    }
  }
  throw invalidParam('folder', 'custom', `${basename(folder)} has too many files called ${name}.`)
}

function splitName(name: string): readonly [stem: string, extension: string] {
  const at = name.lastIndexOf('.')
  return at <= 0 ? [name, ''] : [name.slice(0, at), name.slice(at)]
}
