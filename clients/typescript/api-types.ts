import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@hey-api/openapi-ts'

/** The types of an OpenAPI document. Here, and not beside its caller: the generator needs a TypeScript that programs can call. */
export async function clientTypes(document: object): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'client-types-'))
  try {
    const input = structuredClone({ ...document })
    const output = { path: folder, entryFile: false }
    await createClient({ input, output, plugins: ['@hey-api/typescript'], logs: { level: 'silent', file: false } })
    const text = await readFile(join(folder, 'types.gen.ts'), 'utf8')
    return text.replace(/^\/\/.*\n+/, '')
  } finally {
    await rm(folder, { recursive: true })
  }
}
