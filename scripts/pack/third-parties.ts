import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A package of others that ours contains, or that npm installs beside it. */
export interface ThirdParty {
  /** Its folder from the root, below node_modules/. */
  readonly folder: string
  readonly name: string
  readonly version: string
  /** An SPDX expression. */
  readonly license: string
  readonly isBundled: boolean
}

/** As package-lock.json has it. */
interface LockedPackage {
  readonly version: string
  readonly license?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/**
 * Every package of others in one of ours, by name: those of all systems, as the lock file has them.
 * @param modules paths of the files in the bundle
 * @param dependencies names of packages that are installed beside it
 */
export function thirdParties(root: string, modules: readonly string[], dependencies: readonly string[]): readonly ThirdParty[] {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>
  }
  const parties = new Map<string, ThirdParty>()

  function add(folder: string, isBundled: boolean): void {
    const lockedPackage = packages[folder]
    if (!lockedPackage || parties.has(folder)) return
    const name = folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { version, license = licenseIn(root, folder) } = lockedPackage
    parties.set(folder, { folder, name, version, license, isBundled })
    if (isBundled) return
    for (const dependency of Object.keys({ ...lockedPackage.dependencies, ...lockedPackage.optionalDependencies }))
      add(folderOf(dependency, folder), false)
  }

  /** Found as Node finds it: in the package itself, or further up. */
  function folderOf(name: string, dependent: string): string {
    const own = `${dependent}/node_modules/${name}`
    return own in packages ? own : `node_modules/${name}`
  }

  for (const name of dependencies) add(`node_modules/${name}`, false)
  for (const path of modules) {
    const [folder] = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(relative(root, path)) ?? []
    if (folder !== undefined) add(folder, true)
  }
  return [...parties.values()].sort((one, other) => (one.name < other.name ? -1 : 1))
}

/** Some lock files lack it. */
function licenseIn(root: string, folder: string): string {
  const { license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as { readonly license?: string }
  if (license === undefined) throw new Error(`${folder} names no licence.`)
  return license
}
