import { readdir } from 'node:fs/promises'
import { isBlobKey } from '../blob-store.ts'
import { blobPath, folderPrefix, isMissing } from './disk.ts'

interface Asked {
  readonly prefix: string
  readonly after: string
}

/** The keys under `root` that begin with `prefix` and come after `after`, in the order of their bytes, as S3 lists them. */
export function listKeys(root: string, prefix: string, after: string): AsyncGenerator<string> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  return keysIn(root, folder, { prefix, after })
}

async function* keysIn(root: string, folder: string, asked: Asked): AsyncGenerator<string> {
  for (const name of await namesIn(root, folder)) {
    if (name.endsWith('/')) {
      if (mayHold(name, asked)) yield* keysIn(root, name, asked)
    } else if (name.startsWith(asked.prefix) && name > asked.after && isBlobKey(name)) yield name
  }
}

function mayHold(folder: string, { prefix, after }: Asked): boolean {
  const hasPrefix = folder.startsWith(prefix) || prefix.startsWith(folder)
  return hasPrefix && (folder > after || after.startsWith(folder))
}

/** Whole keys of files and beginnings of keys for folders. These end in `/`, which puts them in the order of their keys. */
async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(blobPath(root, folder), { withFileTypes: true })
    const names = entries.map((entry) => (entry.isDirectory() ? folderPrefix(entry.name) : entry.name))
    return names.flatMap((name) => (name === undefined ? [] : [folder + name])).sort()
  } catch (error) {
    // A folder goes with the last blob in it, and a listing sees it before or after.
    if (isMissing(error)) return []
    throw error
  }
}
