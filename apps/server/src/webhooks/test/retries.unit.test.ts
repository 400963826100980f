import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RETRY_SECONDS, retryAfterSeconds, secondsToRetry } from '../attempt.ts'

const DAY = 24 * 60 * 60

for (const random of [0, 1])
  test(`attempts that all fail at once come by the table, with growing waits, within a day (chance ${random})`, () => {
    const times: number[] = []
    for (let now = 0, wait: number | undefined; ; now += wait) {
      wait = secondsToRetry(now, 0, random)
      if (wait === undefined) break
      times.push(now + wait)
    }
    assert.equal(times.length, RETRY_SECONDS.length)
    const waits = times.map((time, nth) => time - (times[nth - 1] ?? 0))
    assert.deepEqual(
      waits,
      waits.toSorted((a, b) => a - b),
    )
    assert.ok((times.at(-1) ?? 0) > 20 * 60 * 60)
    assert.ok((times.at(-1) ?? DAY) < DAY)
  })

const retries: readonly (readonly [what: string, sinceFirst: number, askedFor: number, wait: number | undefined])[] = [
  ['the first comes after 5 s', 0, 0, 5],
  ['a receiver that is slow to fail is not hurried', 15, 0, 20],
  ['more may be asked for than the table has', 0, 60, 60],
  ['less may not', 40, 1, 115],
  ['no more than a day', 0, 10 * DAY, DAY],
  ['the last is the last', 81_755, 0, undefined],
  ['whatever is asked for', 82_000, 60, undefined],
]
for (const [what, sinceFirst, askedFor, wait] of retries)
  test(`retries: ${what}`, () => assert.equal(secondsToRetry(sinceFirst, askedFor, 0), wait))

const now = Date.parse('2026-11-21T12:00:00Z')
const headers: readonly (readonly [status: number, header: string | null, seconds: number | undefined])[] = [
  [429, '120', 120],
  [503, ' 7 ', 7],
  [503, 'Sat, 21 Nov 2026 12:01:00 GMT', 60],
  [503, 'Sat, 21 Nov 2026 11:00:00 GMT', 0],
  [503, 'soon', undefined],
  [503, '-5', 0],
  [503, null, undefined],
  [500, '120', undefined],
]
for (const [status, header, seconds] of headers)
  test(`Retry-After: ${header} of a ${status} is ${seconds}`, () => assert.equal(retryAfterSeconds(status, header, now), seconds))
