import assert from 'node:assert/strict'
import { test } from 'node:test'
import { solid } from '@pixelmill/codecs/test/support/pictures'
import sharp from 'sharp'
import { form, read } from '../../../test/support/call.ts'
import { listen } from '../../../test/support/listener.ts'
import { shareServer } from '../../../test/support/shared-server.ts'
import { agentOn } from '../../mcp/test/agent.ts'

const image = await solid(40, 30, '#123456').png().toBuffer()
const TOO_LARGE = 16 * 2 ** 20

test('imageUrl in place of an image', async (t) => {
  let requests = 0
  await using origin = await listen((request, response) => {
    requests++
    const [, kind = '', count = '0'] = /^\/(\w+)\/?(\d*)$/.exec(request.url ?? '') ?? []
    if (kind === 'picture') response.end(image)
    else if (kind === 'hop') response.writeHead(302, { location: count === '1' ? '/picture' : `/hop/${Number(count) - 1}` }).end()
    else if (kind === 'private') response.writeHead(307, { location: 'http://10.0.0.1/secret' }).end()
    else if (kind === 'nowhere') response.writeHead(301).end()
    else if (kind === 'text') response.end('no picture')
    else if (kind === 'announced') response.writeHead(200, { 'content-length': TOO_LARGE }).end(Buffer.alloc(TOO_LARGE))
    else if (kind === 'endless') response.end(Buffer.alloc(TOO_LARGE))
    else if (kind === 'broken') response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy())
    else response.writeHead(404).end()
  })
  await using server = await shareServer({ EGRESS_ALLOW: '127.0.0.1' })
  const post = async (path: string, body: FormData | object, headers: Readonly<Record<string, string>> = {}) => {
    const isForm = body instanceof FormData
    const authorization = `Bearer ${server.key}`
    return await read(
      await fetch(server.url + path, {
        method: 'POST',
        body: isForm ? body : JSON.stringify(body),
        headers: { authorization, ...(!isForm && { 'content-type': 'application/json' }), ...headers },
      }),
    )
  }
  const usedCalls = async () => {
    const answer = await fetch(`${server.url}/api/v2/usage`, { headers: { authorization: `Bearer ${server.key}` } })
    return ((await answer.json()) as { period: unknown; calls: { used: number } }).calls.used
  }
  const at = (path: string) => `${origin.url}/${path}`

  await t.test('as a field and as JSON, at each door', async () => {
    const smallImages = [
      await post('/api/v1/resize', form({ imageUrl: at('picture'), width: 20, height: 15 })),
      await post('/api/v1/resize', { imageUrl: at('picture'), width: 20, height: 15 }),
      await post('/api/v3/images', form({ imageUrl: at('hop/3'), recipe: '{"steps":[{"resize":{"width":20}}]}' })),
      await post('/api/v3/images', { imageUrl: at('picture'), recipe: { steps: [{ resize: { width: 20 } }] } }),
    ]
    for (const { status, bytes } of smallImages) {
      assert.equal(status, 200, bytes.toString('utf8', 0, 300))
      const { width, height } = await sharp(bytes).metadata()
      assert.deepEqual([width, height], [20, 15])
    }
    const info = await post('/api/v3/info?fields=width,height', { imageUrl: at('picture') })
    assert.deepEqual(JSON.parse(info.bytes.toString()), { width: 40, height: 30 })
  })

  await t.test('the watermark is still a file', async () => {
    const body = form({ imageUrl: at('picture') }, { watermark: await solid(8, 8, '#fff').png().toBuffer() })
    assert.equal((await post('/api/v1/watermark', body)).status, 200)
  })

  const refusedFields: readonly (readonly [
    what: string,
    fields: Readonly<Record<string, string>>,
    code: string,
    words: RegExp,
  ])[] = [
    ['a fourth redirect', { imageUrl: at('hop/4') }, 'source_unavailable', /redirects too often/],
    ['a redirect to a private address', { imageUrl: at('private') }, 'source_unavailable', /no public address/],
    ['a redirect without an address', { imageUrl: at('nowhere') }, 'source_unavailable', /to no address/],
    ['a private address', { imageUrl: 'http://192.168.0.1/a.png' }, 'source_unavailable', /no public address/],
    ['404', { imageUrl: at('missing') }, 'source_unavailable', /status 404/],
    ['an answer that breaks off', { imageUrl: at('broken') }, 'source_unavailable', /could not be read/],
    ['an announced size', { imageUrl: at('announced') }, 'file_too_large', /15 MB/],
    ['a size that is not announced', { imageUrl: at('endless') }, 'file_too_large', /15 MB/],
    ['text', { imageUrl: at('text') }, 'invalid_image_type', /./],
    ['another scheme', { imageUrl: 'file:///etc/passwd' }, 'invalid_params', /imageUrl/],
    ['no address', {}, 'missing_image_file', /./],
  ]
  await t.test('what is refused, which costs nothing', async () => {
    const before = await usedCalls()
    for (const [what, fields, code, words] of refusedFields) {
      const { error } = await post('/api/v1/convert', form({ ...fields, format: 'png' }))
      assert.equal(error?.statusMessage, code, what)
      assert.match(error.message, words, what)
    }
    const both = await post('/api/v1/convert', form({ imageUrl: at('picture'), format: 'png' }, { image }))
    assert.equal(both.error?.statusMessage, 'invalid_params')
    // Who names no address did not mean this kind of body.
    for (const body of [[], 'text', 7, { format: 'png' }] as unknown as object[])
      assert.equal((await post('/api/v1/convert', body)).error?.statusMessage, 'missing_form_data')
    assert.equal(await usedCalls(), before)
  })

  await t.test('an agent that prepares a picture fetches it once', async () => {
    await using agent = await agentOn(server)
    const before = requests
    const page = await agent.call<{ width: number; outputs: readonly object[] }>('prepare_image', {
      image: { url: at('picture') },
      widths: [10, 20],
    })
    assert.deepEqual([page.width, page.outputs.length, requests - before], [40, 2, 1])
    const output = await agent.edit({ url: at('hop/1') }, { steps: [{ resize: { width: 8 } }] })
    assert.deepEqual([output.width, output.height], [8, 6])
    assert.equal((await agent.refusalOf('inspect_image', { image: { url: at('private') } })).error, 'source_unavailable')
  })

  await t.test('describe costs nothing where no model answers', async () => {
    const before = await usedCalls()
    const { status, error } = await post('/api/v3/images', form({ describe: 1, recipe: '{}' }, { image }))
    assert.deepEqual([status, error?.statusMessage], [503, 'ai_service_unavailable'])
    assert.equal(await usedCalls(), before)
  })

  await t.test('a repeated request is charged once, and another address is another request', async () => {
    const before = await usedCalls()
    const send = (path: string) =>
      post('/api/v3/images', form({ imageUrl: at(path), recipe: '{"steps":[{"flip":{}}]}' }), {
        'idempotency-key': 'image-url-1',
      })
    assert.equal((await send('picture')).status, 200)
    assert.equal((await send('picture')).headers.get('idempotency-replayed'), 'true')
    assert.equal((await send('hop/1')).error?.statusMessage, 'idempotency_key_reused')
    assert.equal(await usedCalls(), before + 1)
  })
})

test('URL_INPUT=off refuses addresses', async () => {
  await using server = await shareServer({ URL_INPUT: 'off' })
  const answer = await read(
    await fetch(`${server.url}/api/v1/convert`, {
      method: 'POST',
      headers: { authorization: `Bearer ${server.key}` },
      body: form({ imageUrl: 'https://8.8.8.8/a.png', format: 'png' }),
    }),
  )
  assert.equal(answer.error?.statusMessage, 'invalid_params')
  assert.match(answer.error.message, /URL_INPUT=off/)
})
