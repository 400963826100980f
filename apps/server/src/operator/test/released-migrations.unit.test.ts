import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const releasedTexts = [['0001_first_release', 'da135ee477a5e407fc2b611e0c264602c35853da572439c0ffc2b8d42d751009']] as const

for (const [name, sha256] of releasedTexts) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
