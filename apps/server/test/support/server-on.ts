import { type Database, openDatabase } from '../../src/database/database.ts'
import { socketFolder } from '../../src/database/embedded/address.ts'
import { openServerDatabase } from './accounts.ts'
import type { TARGETS } from './database-targets.ts'
import { type Server, startServer } from './server.ts'

export interface Running {
  readonly server: Server
  readonly database: Database
  /** Another server process on the same database, with these settings changed. */
  another(settings?: Readonly<Record<string, string>>): Promise<Server>
}

/**
 * A server on one kind of database, with direct access to that database; both are closed after the test or, with node:test's own
 * `after`, after the file.
 */
export async function serverOn(
  { name, start }: (typeof TARGETS)[number],
  test: { readonly after: (end: () => Promise<void>) => void },
  settings: Readonly<Record<string, string>> = {},
): Promise<Running> {
  // Hooks of a test run in the order they were added, but what was opened last has to be closed first.
  const ends: (() => unknown)[] = []
  test.after(async () => {
    for (const end of ends.reverse()) await end()
  })
  const foundValue =
    name === 'DATABASE_URL' ? await start({ after: (end: unknown) => void ends.push(end as () => unknown) }) : undefined
  const url = foundValue && 'url' in foundValue ? foundValue.url : undefined
  const begin = async (own: Readonly<Record<string, string>>) => {
    const server = await startServer({ RENDERERS: '1', ...settings, ...own })
    ends.push(() => server[Symbol.asyncDispose]())
    return server
  }
  const server = await begin(url ? { DATABASE_URL: url } : {})
  const database = foundValue ? await openDatabase(foundValue, () => {}) : await openServerDatabase(server.dir)
  ends.push(() => database.close())
  const embeddedText = `postgres:///postgres?user=pixelmill&host=${encodeURIComponent(socketFolder(server.dir))}`
  return { server, database, another: (own = {}) => begin({ DATABASE_URL: url ?? embeddedText, ...own }) }
}
