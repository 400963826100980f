import type { TestContext } from 'node:test'
import { tempFolder } from '@pixelmill/codecs/test/support/temp-folder'
import pg from 'pg'
import type { DatabaseTarget } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/server.ts'
import { copyTemplate, type Template } from './template-cluster.ts'

type Start = (test: Pick<TestContext, 'after'>, template?: Template) => Promise<DatabaseTarget>

const url = process.env.TEST_DATABASE_URL

/**
 * `npm test` uses the embedded database and the folder. `npm run test:slow` uses the external database and bucket instead, where the
 * environment names them; every night it uses both kinds.
 */
export const othersAlone = process.env.PIXELMILL_TEST_TARGETS === 'others'

/** The two kinds of server; each `start` gives a database that goes when the test ends: without tables, but where the embedded one is told 'tables'. */
export const TARGETS = [
  { name: 'embedded', skip: othersAlone && url !== undefined && 'TEST_DATABASE_URL is tried', start: startOwn as Start },
  { name: 'DATABASE_URL', skip: url ? false : 'TEST_DATABASE_URL is not set', start: createOnServer as Start },
] as const

async function startOwn(test: Pick<TestContext, 'after'>, template: Template = 'empty'): Promise<DatabaseTarget> {
  const dataDir = await tempFolder(test)
  await copyTemplate(template, dataDir)
  const embeddedValue = await startEmbedded({ dataDir, onLog: () => {} })
  test.after(() => embeddedValue.stop())
  return embeddedValue
}

async function createOnServer(test: Pick<TestContext, 'after'>): Promise<DatabaseTarget> {
  const name = `pixelmill_test_${process.pid}_${Date.now()}`
  await runOnServer(`create database ${name}`)
  test.after(() => runOnServer(`drop database ${name} with (force)`))
  const target = new URL(url ?? '')
  target.pathname = name
  return { url: target.href }
}

async function runOnServer(statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statement).finally(() => client.end())
}
