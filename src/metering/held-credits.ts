import type pg from 'pg'

const HELD = {
  name: 'held_credits',
  text: 'select greatest(0, least(credits, reserved)) as held from account where id = $1',
}

/** Credits of an account that calls under way hold: where none are left, these may come back. */
export async function heldCredits(pool: pg.Pool, accountId: string | null): Promise<number> {
  const { rows } = await pool.query<{ held: number }>({ ...HELD, values: [accountId] })
  return rows[0]?.held ?? 0
}
