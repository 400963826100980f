import { startDelivering } from '../../../../test/support/webhooks.ts'
import { openDatabase } from '../../../database/database.ts'

/** A process that delivers until it is killed. Its one argument is the database, as JSON. */
startDelivering(await openDatabase(JSON.parse(process.argv[2] ?? ''), () => {}))
