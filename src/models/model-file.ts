import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { StartError } from '../contract/start-error.ts'

/** A model on the disk, as it was when the server started. */
export interface FoundModel {
  /** Without symbolic links, which the confinement would not follow. */
  readonly path: string
  readonly sha256: string
  /** It, and the files that begin with its name, in which large models keep their weights. */
  readonly files: readonly string[]
}

/**
 * Looks at the file that a setting names.
 * @param setting its name begins with BG or SR
 * @throws StartError when there is none, it cannot be read, or it is not the one that the setting of its hash names
 */
export async function findModel(
  setting: 'BG_MODEL' | 'SR_MODEL',
  named: string,
  wanted: string | undefined,
): Promise<FoundModel> {
  const path = await realpath(named).catch(() => {
    throw new StartError(`${setting}_PATH names ${named}, which is not there.`)
  })
  if (!(await stat(path)).isFile()) throw new StartError(`${setting}_PATH names ${named}, which is not a file.`)
  const sha256 = await hashOf(path).catch((error: unknown) => {
    throw new StartError(
      `${setting}_PATH names ${named}, which cannot be read: ${error instanceof Error ? error.message : error}.`,
    )
  })
  if (wanted !== undefined && sha256 !== wanted)
    throw new StartError(
      `${setting}_PATH names a file with the SHA-256 ${sha256}, which is not ${setting}_SHA256: fetch it again, or set what it is.`,
    )
  const folder = dirname(path)
  // A folder may let its files be read without naming them.
  const names = await readdir(folder).catch(() => [basename(path)])
  return { path, sha256, files: names.filter((name) => name.startsWith(basename(path))).map((name) => join(folder, name)) }
}

/** In constant memory: models have up to some gigabytes. */
async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), hash)
  return hash.digest('hex')
}
