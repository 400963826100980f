import { randomBytes, randomUUID } from 'node:crypto'
import { link, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { type KeySecret, parseKeySecrets } from './key-vault.ts'

/** The file in DATA_DIR. Its contents are a value of AI_KEY_ENCRYPTION_SECRET. */
export const SECRET_FILE = 'ai-key-secret'

/** Differs from the id of a setting without one, so that such a setting can be put in front later. */
const FILE_ID = 'file'
const SECRET_BYTES = 32

/**
 * The secrets for saved AI keys of a server with an embedded database: first those of the setting, which encrypt, then the one of
 * the file. Without either the file is created.
 * @throws StartError when the file cannot be read or written
 */
export async function secretsWithFile(dataDir: string, setting: readonly KeySecret[] | undefined): Promise<readonly KeySecret[]> {
  const path = join(dataDir, SECRET_FILE)
  const inFile = (await readSecrets(path)) ?? (setting ? [] : await makeSecret(path))
  const others = inFile.filter(({ id }) => !setting?.some((givenSecret) => givenSecret.id === id))
  return [...(setting ?? []), ...others]
}

/** Undefined where there is no file. @throws StartError */
export async function readSecrets(path: string): Promise<readonly KeySecret[] | undefined> {
  try {
    return parseKeySecrets((await readFile(path, 'utf8')).trim())
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const why = error instanceof Error ? error.message : String(error)
    throw new StartError(
      `The file ${path} cannot be used (${why}): restore it from a backup, or remove it. Then a new one is made, and accounts have to save their AI keys again.`,
    )
  }
}

/** Creates the file complete and synced, by a hard link. Of several processes the first one succeeds, and all use its file. */
async function makeSecret(path: string): Promise<readonly KeySecret[]> {
  const draft = `${path}.${randomUUID()}`
  try {
    await using file = await open(draft, 'wx', 0o600)
    await file.writeFile(`${FILE_ID}:${randomBytes(SECRET_BYTES).toString('base64')}\n`)
    await file.sync()
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  } catch (error) {
    throw new StartError(`The file ${path} cannot be made (${String(error)}): set AI_KEY_ENCRYPTION_SECRET instead.`)
  } finally {
    await rm(draft, { force: true })
  }
  await using folder = await open(join(path, '..'))
  await folder.sync()
  const madeSecrets = await readSecrets(path)
  if (!madeSecrets) throw new Error(`${path} went away while it was made`)
  return madeSecrets
}
