import { access, constants, glob } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

const CEPH = ['ceph-mon', 'ceph-osd', 'ceph-mgr', 'radosgw', 'curl'] as const

/** Debian installs the programs of PostgreSQL there, in the newest version. @throws Error that says what is missing */
export async function findPrograms(): Promise<{ readonly postgres: string }> {
  const folders = (await Array.fromAsync(glob('/usr/lib/postgresql/*/bin'))).sort(byVersion)
  const [postgres] = folders
  const absent = await Promise.all(CEPH.map(async (name) => ((await isThere(name)) ? [] : [name])))
  const missing = [...(postgres === undefined ? ['postgresql'] : []), ...absent.flat()]
  if (postgres === undefined || missing.length > 0)
    throw new Error(`--cluster needs programs that are not here: apt-get install --no-install-recommends ${missing.join(' ')}`)
  return { postgres }
}

const versionOf = (folder: string): number => Number(folder.split('/')[4])
const byVersion = (one: string, other: string): number => versionOf(other) - versionOf(one)

async function isThere(name: string): Promise<boolean> {
  const paths = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))
  const installations = await Promise.all(
    paths.map((path) =>
      access(path, constants.X_OK).then(
        () => true,
        () => false,
      ),
    ),
  )
  return installations.includes(true)
}
