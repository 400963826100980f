import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const released = [['0001_schema', '2d70ae283278a6033b6039a38bffd43b912c7992d9342474eadb8c1aaa337a03']] as const

for (const [name, sha256] of released) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
