import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The folder that contains bin/, src/ and package.json: a checkout, or the `dist` folder of the npm package. */
export const ROOT = join(import.meta.dirname, '..')

/**
 * The folder of an installed package, found as Node finds it: in a checkout below node_modules/, and in an npm installation
 * beside our package, because npm installs dependencies into the folder that contains the package.
 * @returns an absolute path; undefined if it is not installed
 */
export function packageFolder(name: string, from = ROOT): string | undefined {
  const folder = join(from, 'node_modules', name)
  if (existsSync(folder)) return folder
  return from === dirname(from) ? undefined : packageFolder(name, dirname(from))
}
