import { existsSync } from 'node:fs'
import module from 'node:module'
import { join } from 'node:path'

/**
 * npm runs this after each installation in a checkout: the first start then has its pages and its compiled code, and need not wait for
 * them.
 */

const root = join(import.meta.dirname, '..')
const isThere = (path: string): boolean => existsSync(join(root, path))
const isInstalled = (name: string): boolean =>
  ['', 'apps/dashboard'].some((folder) => isThere(join(folder, 'node_modules', name, 'package.json')))

/** An image for containers has only the manifests while it installs, and an installation to run the service has no builder. */
const pagesParts = ['apps/dashboard/build.ts', 'apps/dashboard/src/api/schema.d.ts', 'docs/openapi.json']
if (pagesParts.every(isThere) && isInstalled('vite')) await import('@pixelmill/dashboard/build')

const serverParts = ['packages/cli/src/program.ts', 'apps/server/src/serve.ts', 'docs/openapi.json']
if (serverParts.every(isThere)) await compileServer()

/** Loads what a start loads, without starting it. What is compiled by that lies where bin/pixelmill.mjs looks for it. */
async function compileServer(): Promise<void> {
  module.enableCompileCache(join(root, 'node_modules/.cache/pixelmill/server'))
  await import('pixelmill/program')
  await import('pixelmill-server/serve')
  module.flushCompileCache()
}
