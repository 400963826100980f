import { join } from 'node:path'

/** Ends the name of every folder: no key has a `+`, so that the keys `a` and `a/b` do not get into each other's way. */
const FOLDER_MARK = '+'

/** Puts not yet whole; it begins with a dot, as no key does. */
export const UNFINISHED = '.tmp'

export function blobPath(root: string, key: string): string {
  return join(root, key.replaceAll('/', `${FOLDER_MARK}/`))
}

/** The beginning of the keys in a folder of this name, ending in `/`; undefined when it is none of ours. */
export function folderPrefix(name: string): string | undefined {
  return name.endsWith(FOLDER_MARK) ? `${name.slice(0, -FOLDER_MARK.length)}/` : undefined
}
