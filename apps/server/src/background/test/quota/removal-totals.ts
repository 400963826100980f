import { accountTotals } from '../../../../test/support/account-totals.ts'
import type { Database } from '../../../database/database.ts'

/** What the tables say: removals, calls charged or held, and open reservations of both. */
export async function removalTotals(database: Database, id: string) {
  const { rows } = await database.pool.query<{ removals: number; held: number }>(
    `select (select coalesce(sum(used), 0)::int from background_month where account_id = $1) as removals,
            (select count(*)::int from reservation where account_id = $1 and meter = 'removal') as held`,
    [id],
  )
  const { booked, reserved, open: openCalls, used } = await accountTotals(database, id)
  const { rows: grantedValues } = await database.pool.query<{ granted: number }>(
    `select coalesce(sum(credits), 0)::int as granted from credit_entry where account_id = $1 and kind = 'grant'`,
    [id],
  )
  const [{ removals: takenCount = 0, held = 0 } = {}] = rows
  return { removals: takenCount, calls: used + (grantedValues[0]?.granted ?? 0) - booked + reserved, held: [held, openCalls] }
}
