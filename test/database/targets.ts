import type { TestContext } from 'node:test'
import pg from 'pg'
import type { DatabaseTarget } from '../../src/database/database.ts'
import { startEmbedded } from '../../src/database/embedded/server.ts'
import { copyTemplate } from '../support/template-cluster.ts'
import { tempFolder } from './temp-folder.ts'

const url = process.env.TEST_DATABASE_URL

/** The two kinds of server; each `start` gives a database without tables that goes when the test ends. */
export const TARGETS = [
  { name: 'embedded', skip: false, start: startOwn },
  { name: 'DATABASE_URL', skip: url ? false : 'TEST_DATABASE_URL is not set', start: createOnServer },
] as const

async function startOwn(test: Pick<TestContext, 'after'>): Promise<DatabaseTarget> {
  const dataDir = await tempFolder(test)
  await copyTemplate('empty', dataDir)
  const embedded = await startEmbedded({ dataDir, onLog: () => {} })
  test.after(() => embedded.stop())
  return embedded
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
