import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that has bin/, src/ and package.json: a checkout, or the `dist` folder of the npm package. */
export const ROOT = join(import.meta.dirname, '..')

/**
 * The folder of an installed package, found as Node finds it: in a checkout below node_modules/, and in an installation by npm
 * beside ours, because npm puts the dependencies of a package into the folder that has the package.
 * @returns an absolute path; undefined where it is not installed
 */
export function packageFolder(name: string, from = ROOT): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  return from === dirname(from) ? undefined : packageFolder(name, dirname(from))
}
