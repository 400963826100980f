import assert from 'node:assert/strict'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { LLMock } from '@copilotkit/aimock'
import { providerFaults } from '../../src/ai/provider-errors.ts'
import { tempFolder } from '../database/temp-folder.ts'
import { startServer } from '../support/server.ts'
import { blocksOf, runPage, skipWithoutCurl as skip } from '../support/shell-page.ts'

const ROOT = join(import.meta.dirname, '../..')
const PAGE = 'docs/ai.md'

test('every line of docs/ai.md works as it stands, with the model that it has played', { skip }, async (t) => {
  const folder = await tempFolder(t)
  await symlink(join(ROOT, 'examples'), join(folder, 'examples'))
  // As the page has it, its fixtures are what a model says.
  const fixtures = (await blocksOf(PAGE, 'json')).find((block) => block.includes('"fixtures"')) ?? ''
  await writeFile(join(folder, 'fixtures.json'), fixtures)
  const model = new LLMock({ port: 0 }).loadFixtureFile(join(folder, 'fixtures.json'))
  await model.start()
  t.after(() => model.stop())
  const url = `${model.url}/v1`
  const password = 'printed at the first start'
  await using server = await startServer({
    ...{ ADMIN_PASSWORD: password, AI_BASE_URL: url, AI_MODEL: 'qwen2.5vl:3b' },
    ...{ AI_KEY_ENCRYPTION_SECRET: 'a secret for tests only', EGRESS_ALLOW: new URL(url).host },
  })
  const env = { URL: server.url, KEY: server.key, ADMIN_PASSWORD: password, OWN: url }
  const outputOf = await runPage(PAGE, env, folder)

  assert.match(outputOf('"language": "de"'), /"altText":"A lighthouse\."[\s\S]*"provider":"platform"/)
  assert.match(outputOf('IMG_4711.JPG'), /"newName":"shop-white-lighthouse-01\.jpg"/)
  assert.match(outputOf('instagram-square'), /"description":"a lighthouse"[\s\S]*"crop":\{"x":\d+/)
  assert.match(outputOf('"useCase": "web"'), /"candidates":\[\{"format":"\w+"[\s\S]*It is a photograph\./)
  assert.match(outputOf('"mode": "upscale"'), /"enhanced":\{"width":3200,"height":2134[\s\S]*"model":"local"/)
  assert.match(outputOf('"apiKey": "ollama"'), /"altText":"A lighthouse\."[\s\S]*"provider":"byok"/)
  assert.match(outputOf('-X PUT'), /"apiKey":"sk-pro\*{8}cdef"/)
  const saved = outputOf('"useAccountKey": true')
  assert.match(saved, /"altText":"A lighthouse\."[\s\S]*"provider":"byok"[\s\S]*"deleted":true/)
})

test('docs/ai.md has every kind of failure', async () => {
  const page = await readFile(join(ROOT, PAGE), 'utf8')
  for (const kind of providerFaults) assert.ok(page.includes(`| \`${kind}\` |`), kind)
})
