import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from '@pixelmill/codecs/installation'

const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }

/** The release, as package.json has it. */
export const VERSION = manifest.version
