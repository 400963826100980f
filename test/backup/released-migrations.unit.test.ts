import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const released = [['0001_schema', 'd05c4a5673737efc3fccae2bcad17ebc9d17787f3056bc8a9207b9dea2a0f597']] as const

for (const [name, sha256] of released) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
