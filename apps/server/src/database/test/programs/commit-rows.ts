import { holdDataFolder } from '../../data-folder.ts'
import { openDatabase } from '../../database.ts'
import { startEmbedded } from '../../embedded/server.ts'

/** Commits rows and prints the number of each when its commit is acknowledged, until it is killed. */
const folder = await holdDataFolder(process.argv[2] ?? '')
const embeddedValue = await startEmbedded({ dataDir: folder.path, onLog: () => {} })
const { pool } = await openDatabase(embeddedValue, console.error)
await pool.query('create table if not exists row (number int primary key)')
const { rows } = await pool.query<{ next: number }>('select coalesce(max(number), 0) + 1 as next from row')
const first = rows[0]?.next ?? 1
for (let number = first; number < first + 100_000; number++) {
  await pool.query('insert into row values ($1)', [number])
  process.stdout.write(`${number}\n`)
}
