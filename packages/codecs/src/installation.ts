import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'

/** Whether the sources run as they are. In an npm package they are bundled into one folder, as scripts/pack.ts does it. */
const isCheckout = import.meta.filename.endsWith('.ts')

/** A checkout, or the folder of our npm package. A file that is read at run time has the same path below both. */
export const ROOT = join(import.meta.dirname, isCheckout ? '../../..' : '..')

/** The folders of the code that a renderer runs. */
export const ENGINE_CODE: readonly string[] = isCheckout
  ? ['kernels', 'codecs', 'vision', 'engine'].map((name) => join(ROOT, 'packages', name))
  : [import.meta.dirname]

/**
 * A program that a process or a thread of its own runs: a source in a checkout, and one of the bundled files of a package.
 * @param folder of the module that names it
 * @param name its path from there, without the extension
 */
export const programFile = (folder: string, name: string): string =>
  isCheckout ? join(folder, `${name}.ts`) : join(import.meta.dirname, `${basename(name)}.js`)

/**
 * The folder of an installed package, found as Node finds it: in a checkout below node_modules/, and in an npm installation
 * beside our package, because npm installs dependencies into the folder that contains the package.
 * @returns an absolute path; undefined if it is not installed
 */
export const packageFolder = (name: string, from = ROOT): string | undefined => placesOf(name, from).find(existsSync)

/** Where Node looks for a package, in this order. */
function placesOf(name: string, from: string): readonly string[] {
  const parent = dirname(from)
  const further = from === parent ? [] : placesOf(name, parent)
  return basename(from) === 'node_modules' ? further : [join(from, 'node_modules', name), ...further]
}

/** Packages that a program loads, with all that they depend on. */
export interface InstalledPackages {
  /** What it reads. */
  readonly folders: readonly string[]
  /** Where Node looks for some of them in vain before it finds them. Under its permissions it has to be allowed to look. */
  readonly lookups: readonly string[]
}

/**
 * What a program reads to load these packages and all that they depend on: the folder of each, and, where an installer such as pnpm
 * links packages in place of copying them, the folder that holds the link. Packages that are not installed are left out.
 * @returns absolute paths; no folder is inside another
 */
export function installedPackages(names: readonly string[], from = ROOT): InstalledPackages {
  const folders = new Set<string>()
  const lookups = new Set<string>()

  function add(name: string, dependent: string): void {
    const places = placesOf(name, dependent)
    const folder = places.find(existsSync)
    if (folder === undefined) return
    for (const place of places.slice(0, places.indexOf(folder))) lookups.add(place)
    const real = realpathSync(folder)
    if (real !== folder) folders.add(dirname(folder))
    if (folders.has(real)) return
    folders.add(real)
    for (const dependency of dependenciesOf(real)) add(dependency, real)
  }
  for (const name of names) add(name, from)
  return { folders: outermost([...folders]), lookups: [...lookups] }
}

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

function dependenciesOf(folder: string): readonly string[] {
  const { dependencies, optionalDependencies }: Manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys({ ...dependencies, ...optionalDependencies })
}

/** Without those that are inside another. */
export const outermost = (paths: readonly string[]): readonly string[] =>
  paths.filter((path) => !paths.some((other) => path.startsWith(`${other}${sep}`)))
