import { readdir } from 'node:fs/promises'
import { isBlobKey } from 'pixelmill/bucket/blob-store'
import { blobPath, folderPrefix, isMissing } from './disk.ts'

interface Asked {
  readonly prefix: string
  readonly after: string
}

/** The keys under `root` that begin with `prefix` and are after `after`, in byte order, as S3 lists them. */
export function listKeys(root: string, prefix: string, after: string): AsyncGenerator<string> {
  const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1)
  return keysIn(root, folder, { prefix, after })
}

async function* keysIn(root: string, folder: string, keyRequest: Asked): AsyncGenerator<string> {
  for (const name of await namesIn(root, folder)) {
    if (name.endsWith('/')) {
      if (mayHold(name, keyRequest)) yield* keysIn(root, name, keyRequest)
    } else if (name.startsWith(keyRequest.prefix) && name > keyRequest.after && isBlobKey(name)) yield name
  }
}

function mayHold(folder: string, { prefix, after }: Asked): boolean {
  const hasPrefix = folder.startsWith(prefix) || prefix.startsWith(folder)
  return hasPrefix && (folder > after || after.startsWith(folder))
}

/** The keys of files and the prefixes of folders. Prefixes end in `/`, so that they sort like their keys. */
async function namesIn(root: string, folder: string): Promise<readonly string[]> {
  try {
    const entries = await readdir(blobPath(root, folder), { withFileTypes: true })
    const names = entries.map((entry) => (entry.isDirectory() ? folderPrefix(entry.name) : entry.name))
    return names.flatMap((name) => (name === undefined ? [] : [folder + name])).sort()
  } catch (error) {
    // A folder is deleted with its last blob, perhaps during this listing.
    if (isMissing(error)) return []
    throw error
  }
}
