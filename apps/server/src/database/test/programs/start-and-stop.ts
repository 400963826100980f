import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { holdDataFolder } from '../../data-folder.ts'
import { openDatabase } from '../../database.ts'
import { startEmbedded } from '../../embedded/server.ts'

/** Prints who owns the files of a database that works, then stops it. */
const folder = await holdDataFolder(process.argv[2] ?? '')
const embeddedValue = await startEmbedded({ dataDir: folder.path, onLog: () => {} })
const database = await openDatabase(embeddedValue, console.error)
await database.pool.query('create table if not exists start (at timestamptz)')
await database.pool.query('insert into start values (now())')
const { rows } = await database.pool.query<{ starts: number }>('select count(*) as starts from start')
const { uid } = await stat(join(folder.path, 'postgres'))
await database.close()
await embeddedValue.stop()
await folder.release()
console.log(JSON.stringify({ uid, starts: rows[0]?.starts }))
