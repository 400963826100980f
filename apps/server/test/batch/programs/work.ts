import { openFolder } from '../../../src/blobs/folder/folder-store.ts'
import { type DatabaseTarget, openDatabase } from '../../../src/database/database.ts'
import { registerInstance } from '../../../src/metering/instance.ts'
import { openPool } from '../../support/rendering.ts'
import { startWorker } from '../../support/workers.ts'

/** Works on batches until it is killed; says something at each result. Arguments: the database's target as JSON, the folder of blobs. */

const [target = '', folder = ''] = process.argv.slice(2)
const database = await openDatabase(JSON.parse(target) as DatabaseTarget, () => {})
const presence = await registerInstance(database, () => {})
const blobs = await openFolder({ root: folder, reserveBytes: 0 })
startWorker({ database, blobs }, openPool(), presence, {}, { onResult: ({ state }) => console.log(state) })
