import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareReleases } from '../functions.ts'

test('releases are ordered as Semantic Versioning orders them', () => {
  const ascending = ['0.9.0', '0.10.0', '1.0.0-alpha.2', '1.0.0-rc.2', '1.0.0-rc.10', '1.0.0', '1.0.1-rc.1', '1.0.1', '1.10.0']
  for (const [index, release] of ascending.entries())
    for (const [otherIndex, other] of ascending.entries())
      assert.equal(Math.sign(compareReleases(release, other)), Math.sign(index - otherIndex), `${release} and ${other}`)
})
