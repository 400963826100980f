import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'

/**
 * Folders of programs and their libraries, and the files that Debian's Node keeps outside itself; not all of /usr, where
 * containers often put the whole application.
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

/** Read here: a renderer's user may not be able to enter the folders above these files. */
const [BUILD, ENTER] = ['private-root.sh', 'enter-private-root.sh'].map((name) =>
  readFileSync(join(ROOT, 'packages/engine/src/rendering/sandbox', name), 'utf8'),
) as [string, string]

/**
 * The command line that builds a root folder with the system's programs and libraries, `readable` and `writable`: absolute paths
 * of existing folders and files. It needs the capabilities of root. Since only the paths themselves are mounted, the modes of the
 * folders above them do not matter inside.
 * @param filter the system call filter for bubblewrap, as a format of printf
 */
export function buildRoot(readable: readonly string[], writable: readonly string[], filter = ''): readonly string[] {
  const visiblePaths = [...system, LIBRARIES, ...readable].filter((path) => existsSync(path))
  const isFile = (path: string) => statSync(path).isFile()
  const fstab = [
    ...visiblePaths.map((path) => line(path, isFile(path) ? READ_ONLY : `${READ_ONLY},X-mount.mkdir`)),
    ...writable.map((path) => line(path, `${WRITABLE},X-mount.mkdir`)),
  ].join('\n')
  return ['unshare', '--mount', 'sh', '-c', BUILD, 'sh', fstab, filter, ...visiblePaths.filter(isFile), '--']
}

/**
 * The command line that starts a program in that folder. It needs the capabilities of root in a user namespace that owns the
 * mount namespace.
 * @param how `exec`: replaces the process; otherwise as a child of the first process of a PID namespace, with `filter` below
 * bubblewrap
 */
export const enterRoot = (how: 'exec' | 'fork' | 'filter'): readonly string[] => ['sh', '-c', ENTER, 'sh', how]

const line = (path: string, options: string): string => `${escapePath(path)} ${escapePath(`/sys${path}`)} none ${options} 0 0`

/** In the format of fstab(5): octal codes for characters that would end a field, or begin a comment. */
const escapePath = (path: string): string =>
  path.replaceAll(/[\s\\#]/g, (character) => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`)
