import { openDatabase } from '../../../src/database/database.ts'
import { startDelivering } from '../../support/webhooks.ts'

/** A process that delivers until it is killed. Its one argument is the database, as JSON. */
startDelivering(await openDatabase(JSON.parse(process.argv[2] ?? ''), () => {}))
