import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

/** SHA-256 of each migration that somebody's database may have run: what is changed in one would never reach that database. */
const released = [['0001_first_release', '568cfe8b40c41ed611190c4e4821051bd5a9d96402e6a0c44479824071fae36f']] as const

for (const [name, sha256] of released) {
  test(`${name} is what was released`, () => {
    const text = readFileSync(join(import.meta.dirname, '../../migrations', `${name}.sql`))
    assert.equal(createHash('sha256').update(text).digest('hex'), sha256)
  })
}
