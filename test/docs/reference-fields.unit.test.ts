import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openapi } from 'pixelmill-server/http/openapi'
import { routes } from 'pixelmill-server/routes'

/** What the reference page says of a field beside its description. */

const reference = routes.find(({ path }) => path === '/docs') ?? assert.fail()
// This route reads nothing of its call but a header.
const text = String((await reference.handle({ request: { header: () => undefined } } as never)).body)

const ROW =
  /<dt><code class="named">([^<]+)<\/code> <span class="kind">[^<]*<\/span>(?: <span class="required">([^<]+)<\/span>)?(?: <span class="range">([^<]*)<\/span>)?<\/dt>/g

/** The list of a JSON body by its fields. */
function fieldsOf(endpoint: string) {
  const [, section = assert.fail(endpoint)] = text.split(`aria-label="JSON fields of ${endpoint}"`)
  const [list = ''] = section.split('</dl>')
  const rows = [...list.matchAll(ROW)].map(([, field = '', need = '', range = '']) => [field, { need, range }] as const)
  const fields = new Map(rows)
  return (name: string) => fields.get(name) ?? assert.fail(name)
}

interface Call {
  readonly requestBody: {
    readonly content: Record<string, { readonly schema: { readonly properties: Record<string, Record<string, unknown>> } }>
  }
}
const { paths } = openapi(routes) as unknown as { readonly paths: Record<string, Record<string, Call>> }

const bodyOf = (path: string, method: string) =>
  paths[path]?.[method]?.requestBody.content['application/json']?.schema.properties ?? assert.fail(path)

test('a field of an object is marked as required where it is, and where only with that object', () => {
  const rename = fieldsOf('rename')
  const smartCrop = fieldsOf('smartCrop')
  const needs = (field: typeof rename, ...names: string[]) => names.map((name) => field(name).need)
  assert.deepEqual(needs(rename, 'images', 'images[].data'), ['required', 'required'])
  assert.deepEqual(needs(rename, 'userProvider', 'userProvider.apiKey'), ['', ''])
  const inProvider = 'required in userProvider'
  assert.deepEqual(needs(rename, 'userProvider.baseUrl', 'userProvider.model'), [inProvider, inProvider])
  const inRatio = 'required in customRatio'
  assert.deepEqual(needs(smartCrop, 'customRatio', 'customRatio.width', 'customRatio.height'), ['', inRatio, inRatio])
})

test('a list says its default, as other fields do', () => {
  const field = fieldsOf('smartCrop')
  assert.equal(field('platforms').range, '0 – 50 entries; default instagram-square, twitter, facebook, youtube-thumbnail')
  assert.equal(field('returnCroppedImage').range, 'default false')
})

test('addresses and keys of models are not empty, on every endpoint that takes them', () => {
  for (const endpoint of ['altText', 'rename', 'smartCrop', 'recommend']) {
    const field = fieldsOf(endpoint)
    assert.equal(field('userProvider.baseUrl').range, '1 – 2,048 characters', endpoint)
    assert.equal(field('userProvider.apiKey').range, '1 – 1,000 characters', endpoint)
  }
  for (const name of ['baseUrl', 'apiKey']) assert.match(fieldsOf('saveAiKey')(name).range, /^1 – [\d,]+ characters$/, name)
})

test('OpenAPI has the same minimum and the same default', () => {
  const body = bodyOf('/api/user/ai-key', 'put')
  assert.deepEqual([body.baseUrl?.minLength, body.apiKey?.minLength], [1, 1])
  const { platforms } = bodyOf('/v1/ai/smart-crop', 'post')
  assert.deepEqual(platforms?.default, ['instagram-square', 'twitter', 'facebook', 'youtube-thumbnail'])
})
