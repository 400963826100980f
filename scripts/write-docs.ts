import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatedPages } from './docs/pages.ts'
import { writeApiTypes } from './write-api-types.ts'

for (const [path, text] of Object.entries(generatedPages())) {
  writeFileSync(join(import.meta.dirname, '..', path), text)
  console.log(path)
}
await writeApiTypes()
