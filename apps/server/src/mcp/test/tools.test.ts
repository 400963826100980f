import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { photo } from '@pixelmill/codecs/test/support/pictures'
import { until } from '@pixelmill/engine/test/support/until'
import { folderOf } from 'pixelmill/test/pixelmill'
import sharp from 'sharp'
import { makeAccount, openServerDatabase } from '../../../test/support/accounts.ts'
import { zipOf } from '../../../test/support/batch-call.ts'
import { type SharedServer, shareServer } from '../../../test/support/shared-server.ts'
import type { Database } from '../../database/database.ts'
import { type Agent, agentOn, type Era, eras, localAgent, upload } from './agent.ts'

/** Every tool by the official client: over HTTP and over standard input and output, in both revisions of the protocol. */

let server: SharedServer
let database: Database
before(async () => {
  server = await shareServer()
  database = await openServerDatabase(server.dir)
})
after(async () => {
  await database?.close()
  await server[Symbol.asyncDispose]()
})

/** Of an agent without a server: no model writes texts there. */
const LOCAL_NAMES = ['edit_image', 'inspect_image', 'make_batch', 'batch_status', 'suggest_crop', 'usage']
const NAMES = LOCAL_NAMES.toSpliced(2, 0, 'prepare_image', 'list_images')
const picture = await photo(120, 80).jpeg().toBuffer()

/** The most of all tools together, in tokens; an agent reads them in every conversation. */
const MOST_TOKENS = 2_000
/** Of JSON with English sentences: two tokenizers (o200k, cl100k) count 4 % fewer. */
const CHARACTERS_PER_TOKEN = 4

async function assertListed({ client }: Agent, era: Era, names: readonly string[]): Promise<void> {
  assert.equal(client.getNegotiatedProtocolVersion(), era)
  const { tools } = await client.listTools()
  assert.deepEqual(
    tools.map(({ name }) => name),
    names,
  )
  for (const { title, description, annotations } of tools) {
    assert.ok(title && description)
    assert.equal(annotations?.destructiveHint, false)
  }
  const tokens = Math.ceil(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN)
  assert.ok(tokens <= MOST_TOKENS, `${tokens} tokens`)
}

/** What is listed can be read, and so can a result by the uri of its link. */
async function assertResources({ client }: Agent, names: readonly string[], result: string): Promise<void> {
  const { resources } = await client.listResources()
  assert.deepEqual(
    resources.map(({ uri }) => uri),
    names.map((name) => `pixelmill://${name}`),
  )
  for (const { uri, mimeType } of resources) {
    if (uri.endsWith('/presets')) {
      await assert.rejects(client.readResource({ uri }), /lacks the scope "presets"/)
      continue
    }
    const { contents } = await client.readResource({ uri })
    const [content] = contents
    assert.ok(content && 'text' in content && content.text.length > 10, uri)
    assert.equal(content.mimeType, mimeType)
    if (mimeType?.endsWith('json')) assert.equal(typeof JSON.parse(content.text), 'object')
  }
  const { resourceTemplates } = await client.listResourceTemplates()
  assert.deepEqual(
    resourceTemplates.map(({ name }) => name),
    ['batch', 'result'],
  )
  const [image] = (await client.readResource({ uri: result })).contents
  assert.ok(image && 'blob' in image)
  assert.equal((await sharp(Buffer.from(image.blob, 'base64')).metadata()).width, 60)
  await assert.rejects(client.readResource({ uri: 'pixelmild://nothing' }), /not found/i)
  await assert.rejects(client.readResource({ uri: 'pixelmill://batches/018f0000-0000-7000-8000-000000000000' }), /no such batch/i)
}

interface PreparedPage {
  readonly outputs: readonly {
    readonly output: string
    readonly format: string
    readonly width: number
    readonly height: number
  }[]
  readonly width: number
  readonly height: number
  readonly blurHash: string
  readonly altText: string | null
  readonly altTextError?: { readonly error: string }
}

/** Asks for the state of a batch until it has ended. */
async function endOf({ call }: Agent, id: string, isDone: (status: Readonly<Record<string, unknown>>) => boolean) {
  let status: Readonly<Record<string, unknown>> = {}
  await until(async () => {
    status = await call('batch_status', { id })
    return isDone(status)
  }, 60_000)
  assert.ok(isDone(status), JSON.stringify(status))
  return status
}

for (const era of Object.keys(eras) as Era[]) {
  test(`${era} over HTTP: the tools are listed within 2,000 tokens, and each of them works`, async () => {
    const { key } = await makeAccount(database, 'team')
    await using agent = await agentOn({ url: server.url, key }, era)
    await assertListed(agent, era, NAMES)
    const image = { base64: picture.toString('base64') }
    const madeOutput = await agent.edit(image, { steps: [{ resize: { width: 60 } }] })
    assert.deepEqual([madeOutput.format, madeOutput.width, madeOutput.height], ['jpeg', 60, 40])
    await assertResources(agent, ['formats', 'recipe', 'recipe/schema', 'presets'], madeOutput.uri)
    const facts = await agent.call('inspect_image', { image: madeOutput.image })
    assert.deepEqual([facts.format, facts.width], ['jpeg', 60])
    const crop = await agent.call<{ crops: readonly { crop: object }[] }>('suggest_crop', {
      image,
      ratio: { width: 1, height: 1 },
    })
    assert.equal(crop.crops.length, 1)
    const page = await agent.call<PreparedPage>('prepare_image', { image, widths: [30, 60] })
    assert.deepEqual(
      page.outputs.map(({ output, format, width, height }) => [output, format, width, height]),
      [
        ['w30', 'webp', 30, 20],
        ['w60', 'webp', 60, 40],
      ],
    )
    assert.deepEqual([page.width, page.height, page.altText, page.altTextError?.error], [120, 80, null, 'ai_service_unavailable'])
    assert.match(page.blurHash, /^[\w#$%*+,.:;=?@[\]^{|}~-]{6,}$/)
    const archive = await upload({ url: server.url, key }, zipOf({ 'a.jpg': picture }), 'application/zip')
    const { id } = await agent.call<{ id: string }>('make_batch', {
      archive,
      optimize: true,
      name: 'one',
    })
    const endedValue = await endOf(agent, id, ({ status }) => status === 'completed')
    assert.match(String(endedValue.resultUrl), new RegExp(`^${server.url}/api/v2/batch/${id}/`))
    const { calls } = await agent.call<{ calls: { used: number } }>('usage')
    assert.equal(calls.used, 6, 'an image, its description, two widths with one, and an image of the batch')
  })

  test(`${era} over standard input and output: the same tools, for the files of a folder`, async (t) => {
    const root = await folderOf(t, { 'in/a.jpg': picture })
    await using agent = await localAgent(root, era)
    await assertListed(agent, era, LOCAL_NAMES)
    const image = { file: 'in/a.jpg' }
    const recipe = { steps: [{ resize: { width: 60 } }], outputs: [{ format: 'webp' }] }
    const madeOutput = await agent.edit(image, recipe, { folder: 'made' })
    assert.deepEqual([madeOutput.image.file, madeOutput.width], [join('made', 'a.webp'), 60])
    assert.equal((await agent.call('inspect_image', { image: madeOutput.image })).format, 'webp')
    await assertResources(agent, ['formats', 'recipe', 'recipe/schema'], madeOutput.uri)
    await assert.rejects(agent.client.readResource({ uri: 'file:///etc/hostname' }), /is not below/)
    const crop = await agent.call<{ crops: readonly object[] }>('suggest_crop', { image, platforms: ['instagram-square'] })
    assert.equal(crop.crops.length, 1)
    const { id } = await agent.call<{ id: string }>('make_batch', {
      folder: 'in',
      out: 'out',
      recipe: { outputs: [{ format: 'png' }] },
    })
    const endedValue = await endOf(agent, id, ({ state }) => state === 'completed')
    assert.deepEqual([endedValue.done, endedValue.failed], [1, 0])
    const optimization = await agent.call<{ id: string }>('make_batch', { folder: 'in', out: 'small', optimize: true })
    const { done, failed } = await endOf(agent, optimization.id, ({ state }) => state === 'completed')
    assert.deepEqual([done, failed], [1, 0])
    assert.ok((await stat(join(root, 'small/a.jpg'))).size <= picture.length)
    const both = { folder: 'in', out: 'small', optimize: true, recipe: {} }
    assert.equal((await agent.refusalOf('make_batch', both)).error, 'invalid_params')
    assert.ok(await agent.call('usage'))
  })
}
