import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, isRefusal } from '../../contract/api-error.ts'
import { accountLimit } from '../account-limit.ts'

test('of one account a few requests are worked on at once; those of others do not count, and an end makes room', () => {
  const requests = accountLimit({ most: 4, ofOneAccount: 2 }, 'uploads')
  const first = requests.enter('one')
  {
    using _second = requests.enter('one')
    for (let n = 0; n < 3; n++)
      assert.throws(
        () => requests.enter('one'),
        (error) => isRefusal(error) && error.code === 'rate_limited' && error.retryAfterSeconds === 1,
      )
    using _other = requests.enter('two')
  }
  using _third = requests.enter('one')
  assert.throws(() => requests.enter('one'), ApiError)
  first[Symbol.dispose]()
  using _fourth = requests.enter('one')
  assert.throws(() => requests.enter('one'), ApiError)
})

test('of all accounts together only so many are worked on at once; the next is told to come back', () => {
  const requests = accountLimit({ most: 2, ofOneAccount: 2 }, 'uploads')
  using _one = requests.enter('one')
  {
    using _two = requests.enter('two')
    for (let n = 0; n < 3; n++)
      assert.throws(
        () => requests.enter('three'),
        (error) => isRefusal(error) && error.code === 'server_busy' && error.retryAfterSeconds === 1,
      )
  }
  using _three = requests.enter('three')
  assert.throws(() => requests.enter('one'), ApiError)
})
