import { openPool } from '../../../../test/support/rendering.ts'
import { startWorker } from '../../../../test/support/workers.ts'
import { openFolder } from '../../../blobs/folder/folder-store.ts'
import { type DatabaseTarget, openDatabase } from '../../../database/database.ts'
import { registerInstance } from '../../../metering/instance.ts'

/** Works on batches until it is killed; says something at each result. Arguments: the database's target as JSON, the folder of blobs. */

const [target = '', folder = ''] = process.argv.slice(2)
const database = await openDatabase(JSON.parse(target) as DatabaseTarget, () => {})
const presence = await registerInstance(database, () => {})
const blobs = await openFolder({ root: folder, reserveBytes: 0 })
startWorker({ database, blobs }, openPool(), presence, {}, { onResult: ({ state }) => console.log(state) })
