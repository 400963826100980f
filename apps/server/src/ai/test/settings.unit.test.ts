import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from '../../config.ts'

const both = { AI_BASE_URL: 'https://api.example.com/v1', AI_MODEL: 'vl' }

function refusalOf(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return ''
}

const takenValues: readonly Readonly<Record<string, string>>[] = [
  {},
  both,
  { ...both, AI_BASE_URL: 'http://127.0.0.1:11434/v1' },
  { ...both, AI_BASE_URL: 'https://me.openai.azure.com/openai/v1/chat/completions?api-version=1', AI_API_KEY: 'k~!' },
  { AI_KEY_ENCRYPTION_SECRET: 'sixteen letters!' },
  { AI_KEY_ENCRYPTION_SECRET: '2:bm90IHJlYWxseSByYW5kb20=,1:sixteen letters!' },
]
for (const settings of takenValues)
  test(`${JSON.stringify(settings)} is taken`, () => {
    assert.equal(refusalOf(settings), '')
  })

/** `hush` stands in what may not be repeated. */
const refusedValues: readonly (readonly [settings: Readonly<Record<string, string>>, why: RegExp])[] = [
  [{ AI_BASE_URL: both.AI_BASE_URL }, /^AI_MODEL must be set too/],
  [{ AI_MODEL: 'vl' }, /^AI_BASE_URL must be set too/],
  [{ ...both, AI_BASE_URL: 'hush.example.com' }, /^AI_BASE_URL must be an http or https URL/],
  [{ ...both, AI_BASE_URL: 'ftp://hush.example.com' }, /^AI_BASE_URL must be an http or https URL/],
  [{ ...both, AI_BASE_URL: 'https://me:hush@example.com/v1' }, /^AI_BASE_URL must have no user name and password/],
  [{ ...both, AI_BASE_URL: 'https://hush@example.com/v1' }, /^AI_BASE_URL must have no user name and password/],
  [{ ...both, AI_API_KEY: 'sk hush' }, /^AI_API_KEY must be printable ASCII/],
  [{ ...both, AI_API_KEY: 'sk-hush\u00e9' }, /^AI_API_KEY must be printable ASCII/],
  [{ AI_KEY_ENCRYPTION_SECRET: 'hush' }, /^AI_KEY_ENCRYPTION_SECRET must have at least 16 characters/],
  [{ AI_KEY_ENCRYPTION_SECRET: '2:hush hush hush hush,1:hush' }, /^AI_KEY_ENCRYPTION_SECRET must have at least 16 characters/],
  [
    { AI_KEY_ENCRYPTION_SECRET: '1:hush hush hush hush,hush hush hush hush' },
    /^AI_KEY_ENCRYPTION_SECRET must give each entry an id/,
  ],
]
for (const [settings, why] of refusedValues)
  test(`${JSON.stringify(settings)} is refused, and not repeated`, () => {
    assert.match(refusalOf(settings), why)
    assert.doesNotMatch(refusalOf(settings), /hush/)
  })
