import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Where programs and their libraries are, and what Debian's Node keeps outside itself; not all of /usr, under which
 * containers like to put the whole application.
 */
const system = [
  '/bin',
  '/lib',
  '/lib64',
  '/usr/bin',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/share/nodejs',
]

/** How the loader finds libraries elsewhere. */
const LIBRARIES = '/etc/ld.so.cache'

const READ_ONLY = 'rbind,ro,nosuid,nodev'
const WRITABLE = 'rbind'

/**
 * The words that give the program behind them a root folder with the system's programs and libraries, `readable` and
 * `writable`: absolute paths of folders and files that exist. They need the powers of root in a user namespace.
 */
export function privateRoot(readable: readonly string[], writable: readonly string[]): readonly string[] {
  const shown = [...system, LIBRARIES, ...readable].filter((path) => existsSync(path))
  const isFile = (path: string) => statSync(path).isFile()
  const fstab = [
    ...shown.map((path) => line(path, isFile(path) ? READ_ONLY : `${READ_ONLY},X-mount.mkdir`)),
    ...writable.map((path) => line(path, `${WRITABLE},X-mount.mkdir`)),
  ].join('\n')
  return ['unshare', '--mount', 'sh', join(import.meta.dirname, 'private-root.sh'), fstab, ...shown.filter(isFile), '--']
}

const line = (path: string, options: string): string => `${escaped(path)} ${escaped(`/sys${path}`)} none ${options} 0 0`

/** As fstab(5) has it: octal codes for what would end a field, or begin a comment. */
const escaped = (path: string): string =>
  path.replaceAll(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
