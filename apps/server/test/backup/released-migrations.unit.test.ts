import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const released = [['0001_first_release', '1acbbe7c46caff8c76d6908e981510084b839324a7f2676c5db2e2fa11e4319a']] as const

for (const [name, sha256] of released) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
