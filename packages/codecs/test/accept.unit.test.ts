import assert from 'node:assert/strict'
import { test } from 'node:test'
import { acceptedBy, preference } from '../src/accept.ts'

const weights: readonly (readonly [accept: string | undefined, type: string, weight: number])[] = [
  [undefined, 'image/webp', 1],
  [' ', 'image/webp', 1],
  ['image/webp', 'image/webp', 1],
  ['image/avif', 'image/webp', 0],
  ['IMAGE/WebP ; q=0.25', 'image/webp', 0.25],
  ['image/webp;q=7', 'image/webp', 1],
  // The most specific range decides, wherever it stands: RFC 9110, §12.5.1.
  ['*/*;q=0.1, image/*;q=0.5, image/webp;q=0.9', 'image/webp', 0.9],
  ['*/*;q=0.1, image/*;q=0.5, image/webp;q=0.9', 'image/png', 0.5],
  ['*/*;q=0.1, image/*;q=0.5, image/webp;q=0.9', 'text/html', 0.1],
  ['*/*, image/*;q=0', 'image/png', 0],
]
for (const [accept, type, weight] of weights) {
  test(`“${accept}” wants ${type} by ${weight}`, () => assert.equal(preference(accept, type), weight))
}

test('what is named may be sent unasked, what is not refused may be sent', () => {
  const { accepts, allows } = acceptedBy('image/avif, image/webp;q=0, */*;q=0.8')
  assert.deepEqual(accepts, ['avif'])
  assert.ok(allows.includes('png') && allows.includes('avif') && !allows.includes('webp'))
})
