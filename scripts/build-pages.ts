import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** npm runs this after each installation in a checkout: the first start then has its pages, and need not wait for them. */

const root = join(import.meta.dirname, '..')
/** An image for containers has only the manifests while it installs, and an installation to run the service has no builder. */
const parts = ['apps/dashboard/build.ts', 'apps/dashboard/src/api/schema.d.ts', 'docs/openapi.json']
const isInstalled = (name: string): boolean =>
  ['', 'apps/dashboard'].some((folder) => existsSync(join(root, folder, 'node_modules', name, 'package.json')))

if (parts.every((path) => existsSync(join(root, path))) && isInstalled('vite')) await import('@pixelmill/dashboard/build')
