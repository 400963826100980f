import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import { type Database, type DatabaseTarget, openDatabase } from '../../src/database/database.ts'
import { migrate } from '../../src/database/migrate.ts'
import { TARGETS } from './database-targets.ts'

export interface TestDatabase {
  /** The prefix of the test names. */
  readonly kind: string
  readonly skip: false | string
  /** Shared by all tests of the file; has the tables. */
  database(): Database
  target(): DatabaseTarget
}

/** Declares the same tests for the embedded PostgreSQL and for the one of TEST_DATABASE_URL. */
export function onEachDatabase(declare: (givenDatabase: TestDatabase) => void): void {
  for (const { name: kind, skip, start } of TARGETS) {
    let openedValue: { readonly target: DatabaseTarget; readonly database: Database } | undefined
    // The server is stopped last, after all connections are closed.
    const cleanups: (() => unknown)[] = []
    before(async () => {
      if (skip) return
      const target = await start({ after: (clean) => void cleanups.push(clean as () => unknown) }, 'tables')
      const database = await openDatabase(target, () => {})
      openedValue = { target, database }
      await migrate(database)
    })
    after(async () => {
      await openedValue?.database.close()
      for (const clean of cleanups) await clean()
    })
    declare({
      kind,
      skip,
      database: () => (openedValue ?? assert.fail('it is opened before the first test')).database,
      target: () => (openedValue ?? assert.fail('it is opened before the first test')).target,
    })
  }
}
