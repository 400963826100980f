import { describe, test } from 'node:test'
import { TARGETS } from '../../../test/support/blob-targets.ts'
import { roundTrip } from './round-trip.ts'

/** 25 parts of a multipart upload. */
const size = 200_000_000

for (const target of TARGETS) {
  describe(`large blobs in a ${target.name}`, { skip: target.skip }, () => {
    test(`${size} bytes of unknown length come back as they were`, async (t) => roundTrip((await target.start(t)).store, size))
  })
}
