import assert from 'node:assert/strict'
import { test } from 'node:test'
import { StartError } from '@pixelmill/codecs/contract/start-error'
import { readConfig } from '../../../config.ts'
import { chosenService } from '../../services.ts'

const KEY = 'k-7f3a'

function refusalOf(settings: Readonly<Record<string, string>>): string {
  try {
    readConfig(settings)
  } catch (error) {
    if (error instanceof StartError) return error.message
    throw error
  }
  return ''
}

const removebg = { BG_PROVIDER: 'removebg', BG_PROVIDER_KEY: KEY }
const custom = { BG_PROVIDER: 'custom', BG_PROVIDER_URL: 'http://10.0.0.7/cut' }

const takenValues: readonly (readonly [settings: Readonly<Record<string, string>>, url: string | undefined])[] = [
  [{}, undefined],
  [{ BG_PROVIDER_TIMEOUT_S: '3' }, undefined],
  [removebg, 'https://api.remove.bg/v1.0/removebg'],
  [{ ...removebg, BG_PROVIDER_URL: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/v1.0/removebg'],
  [{ ...removebg, BG_PROVIDER_URL: 'http://127.0.0.1:9000/cut?a=b' }, 'http://127.0.0.1:9000/cut?a=b'],
  [{ BG_PROVIDER: 'clipdrop', BG_PROVIDER_KEY: KEY }, 'https://clipdrop-api.co/remove-background/v1'],
  [{ BG_PROVIDER: 'photoroom', BG_PROVIDER_KEY: KEY }, 'https://sdk.photoroom.com/v1/segment'],
  [{ BG_PROVIDER: 'rembg', BG_PROVIDER_URL: 'http://rembg:7000' }, 'http://rembg:7000/api/remove'],
  [{ BG_PROVIDER: 'rembg', BG_PROVIDER_URL: 'http://rembg:7000/?bgc=0,0,0,0' }, 'http://rembg:7000/api/remove?bgc=0,0,0,0'],
  [{ BG_PROVIDER: 'withoutbg', BG_PROVIDER_URL: 'http://cut:8000/' }, 'http://cut:8000/v1/remove-background'],
  [custom, 'http://10.0.0.7/cut'],
  [{ BG_PROVIDER: 'custom', BG_PROVIDER_URL: 'http://10.0.0.7' }, 'http://10.0.0.7/'],
]
for (const [settings, url] of takenValues)
  test(`${JSON.stringify(settings)} asks ${url ?? 'no service'}`, () => {
    assert.equal(chosenService(readConfig(settings))?.url, url)
  })

const refusedValues: readonly (readonly [settings: Readonly<Record<string, string>>, words: RegExp])[] = [
  [{ BG_PROVIDER: 'remove.bg' }, /^BG_PROVIDER must be one of removebg, rembg, /],
  [{ BG_PROVIDER: 'removebg' }, /^BG_PROVIDER_KEY must be set for BG_PROVIDER=removebg\./],
  [{ BG_PROVIDER: 'clipdrop' }, /^BG_PROVIDER_KEY must be set/],
  [{ BG_PROVIDER: 'photoroom' }, /^BG_PROVIDER_KEY must be set/],
  [{ BG_PROVIDER: 'rembg' }, /^BG_PROVIDER_URL must be set for BG_PROVIDER=rembg/],
  [{ BG_PROVIDER: 'withoutbg' }, /^BG_PROVIDER_URL must be set/],
  [{ BG_PROVIDER: 'custom' }, /^BG_PROVIDER_URL must be set/],
  [{ BG_PROVIDER_KEY: KEY }, /^BG_PROVIDER_KEY is set, but BG_PROVIDER is not/],
  [{ BG_PROVIDER_URL: 'http://rembg:7000' }, /^BG_PROVIDER_URL is set, but BG_PROVIDER is not/],
  [{ ...custom, BG_PROVIDER_URL: 'rembg:7000' }, /^BG_PROVIDER_URL must be an http or https URL/],
  [{ ...custom, BG_PROVIDER_URL: 'ftp://cut/' }, /^BG_PROVIDER_URL must be an http or https URL/],
  [{ ...custom, BG_PROVIDER_URL: `http://me:${KEY}@cut/` }, /^BG_PROVIDER_URL must have no user name and password/],
  [{ ...removebg, BG_PROVIDER_KEY: `${KEY}\nX-Other: 1` }, /^BG_PROVIDER_KEY must be printable ASCII/],
  [{ ...removebg, BG_PROVIDER_KEY: `${KEY}ü` }, /^BG_PROVIDER_KEY must be printable ASCII/],
  ...['X Token', 'X-Token:', 'Content-Type', 'content-length', 'Host', 'Transfer-Encoding', 'Accept'].map(
    (name) => [{ ...removebg, BG_PROVIDER_KEY_HEADER: name }, /^BG_PROVIDER_KEY_HEADER must be the name of a header/] as const,
  ),
  ...['a"b', 'a\nb', 'a\\b'].map(
    (name) => [{ ...removebg, BG_PROVIDER_FILE_FIELD: name }, /^BG_PROVIDER_FILE_FIELD must be 1 to 100/] as const,
  ),
  ...['size=full', '[]', '"x"', 'null', '{"a":null}', '{"a":{}}', '{"a\\"b":1}', '{"":1}', '{"a":1'].map(
    (fields) => [{ ...removebg, BG_PROVIDER_EXTRA_FIELDS: fields }, /^BG_PROVIDER_EXTRA_FIELDS must be a JSON object/] as const,
  ),
  ...['0', '601', '2.5', '25s'].map(
    (seconds) => [{ ...removebg, BG_PROVIDER_TIMEOUT_S: seconds }, /^BG_PROVIDER_TIMEOUT_S must be a whole number/] as const,
  ),
]
for (const [settings, words] of refusedValues)
  test(`${JSON.stringify(settings)} is refused at the start, in a sentence without the key`, () => {
    const refusal = refusalOf(settings)
    assert.match(refusal, words)
    assert.match(refusal, /docs\/configuration\.md\.$/)
    assert.ok(!refusal.includes(KEY))
  })

test('extra fields add to those of the service and change them', () => {
  const settings = {
    ...removebg,
    BG_PROVIDER_EXTRA_FIELDS: '{"size":"full","crop":true,"scale":80}',
    BG_PROVIDER_FILE_FIELD: 'photo',
  }
  const service = chosenService(readConfig(settings))
  assert.deepEqual(service?.fields, { size: 'full', format: 'png', crop: 'true', scale: '80' })
  assert.deepEqual([service?.fileField, service?.headers], ['photo', { 'x-api-key': KEY }])
})
