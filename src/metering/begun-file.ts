import { closeSync, openSync, readFileSync, renameSync, rmSync, writeSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const ID_BYTES = 16
const UNFINISHED = '.new'

/** Which servers of one installation: two databases number theirs alike, and may share a folder. */
export interface BegunFolder {
  readonly folder: string
  readonly installation: string
}

/** The ids of one server's calls whose answer has begun. It outlives the process, not the machine: nothing is synchronised. */
export interface BegunFile {
  /** @throws Error where the disk does not take it */
  append(id: Buffer): void
  close(): void
}

export const nameOf = ({ installation }: BegunFolder, server: number): string => `${installation}.${server}`

/** The server whose file it is; undefined for another installation's, and for what is no such file. */
export function serverOf({ installation }: BegunFolder, name: string): number | undefined {
  const number = name.startsWith(`${installation}.`) ? name.slice(installation.length + 1) : ''
  return /^\d+$/.test(number) ? Number(number) : undefined
}

/** Puts a file with these ids in the place of the one before, at once. @throws Error of the system call that failed */
export function replaceFile(path: string, ids: readonly Buffer[]): BegunFile {
  const unfinished = path + UNFINISHED
  const descriptor = openSync(unfinished, 'w', 0o600)
  try {
    write(descriptor, Buffer.concat([Buffer.from(`${bootId()}\n`), ...ids]))
    renameSync(unfinished, path)
  } catch (error) {
    closeSync(descriptor)
    throw error
  }
  return { append: (id) => write(descriptor, id), close: () => closeSync(descriptor) }
}

/** A part of an id would shift those behind it. */
function write(descriptor: number, bytes: Buffer): void {
  if (writeSync(descriptor, bytes) !== bytes.length) throw new Error('the disk took a part only')
}

/** Its ids; null where the machine, or another one, was started in between, so that the last ids may be missing. */
export async function readIds(path: string): Promise<readonly string[] | null> {
  const bytes = await readFile(path)
  const begin = bytes.indexOf('\n') + 1
  const boot = bytes.toString('latin1', 0, Math.max(0, begin - 1))
  if (boot === '' || boot !== bootId()) return null
  const ids: string[] = []
  for (let at = begin; at + ID_BYTES <= bytes.length; at += ID_BYTES) ids.push(bytes.toString('hex', at, at + ID_BYTES))
  return ids
}

export function removeFile(path: string): void {
  for (const each of [path, path + UNFINISHED]) rmSync(each, { force: true })
}

export const pathOf = (place: BegunFolder, server: number): string => join(place.folder, nameOf(place, server))

/** Changes with each start of the machine; empty where the system has none, which is to say not Linux. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
  } catch {
    return ''
  }
}
