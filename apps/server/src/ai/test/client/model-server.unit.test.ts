import assert from 'node:assert/strict'
import { test } from 'node:test'
import { retryAfter } from '../../../outbound/retry-after.ts'
import { completionsUrl } from '../../client/model-server.ts'
import { failureOf } from '../../client/post.ts'
import { dialects, simpler } from '../../client/question.ts'

const urls: readonly (readonly [base: string, url: string | undefined])[] = [
  ['https://api.example.com/v1', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com/v1/', 'https://api.example.com/v1/chat/completions'],
  ['https://api.example.com', 'https://api.example.com/chat/completions'],
  ['https://api.example.com/v1/chat/completions', 'https://api.example.com/v1/chat/completions'],
  [
    'https://api.example.com/d/x/?api-version=2026-01-01#a',
    'https://api.example.com/d/x/chat/completions?api-version=2026-01-01',
  ],
  ['nonsense', undefined],
]
for (const [base, url] of urls)
  test(`questions to ${base} go to ${url}`, () => {
    assert.equal(completionsUrl(base)?.href, url)
  })

test('Retry-After is seconds or a date, within an hour', () => {
  assert.deepEqual(['7', ' 0 ', '1.2', '99999', '-1', 'soon', '', null].map(retryAfter), [
    7,
    0,
    2,
    3_600,
    undefined,
    undefined,
    undefined,
    undefined,
  ])
  const seconds = retryAfter(new Date(Date.now() + 30_000).toUTCString()) ?? 0
  assert.ok(seconds >= 28 && seconds <= 30)
  assert.equal(retryAfter(new Date(0).toUTCString()), 0)
})

const meanings: readonly (readonly [status: number, words: string, kind: string])[] = [
  [400, 'image_url is only supported by certain models', 'no_vision'],
  [400, 'this model does not support image input', 'no_vision'],
  [500, 'image input is not supported - you may need to provide the mmproj', 'no_vision'],
  [400, 'response_format is not supported with images', 'rejected'],
  [400, 'image exceeds 5 MB maximum', 'rejected'],
  [400, 'Could not process image', 'rejected'],
  [400, 'Invalid API key', 'auth'],
  [403, 'ResponsibleAIPolicyViolation', 'refused'],
  [404, '', 'model_not_found'],
  [405, '', 'bad_output'],
  [302, '', 'bad_output'],
  [418, '', 'bad_output'],
  [429, 'You exceeded your current quota, please check your plan and billing details', 'quota'],
  [429, '', 'rate_limited'],
  [500, '', 'network'],
  [529, 'overloaded', 'network'],
  [524, '', 'timeout'],
]
for (const [status, words, kind] of meanings)
  test(`${status} "${words}" is ${kind}`, () => {
    assert.equal(failureOf({ status, words }), kind)
  })

test('a server is asked for less until nothing is left', () => {
  const knownDialects = dialects()
  const strictest = knownDialects.of('server')
  const steps = ['max_tokens', 'temperature', '', '']
  const end = steps.reduce((dialect, words) => simpler(dialect, words) ?? assert.fail(words), strictest)
  assert.deepEqual(end, { format: 'text', limit: 'max_completion_tokens', temperature: false })
  assert.equal(simpler(end, 'max_tokens temperature'), undefined)
})

test('only the servers that answered lately are remembered', () => {
  const knownDialects = dialects(2)
  const text = { ...knownDialects.of('one'), format: 'text' } as const
  for (const server of ['one', 'two', 'one', 'three']) knownDialects.remember(server, text)
  assert.deepEqual(
    ['one', 'two', 'three'].map((server) => knownDialects.of(server).format),
    ['text', 'json_schema', 'text'],
  )
})
