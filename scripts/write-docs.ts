import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedPages } from './docs/pages.ts'

for (const [path, text] of Object.entries(await generatedPages())) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(path)
}
