import { serverBusy } from '../rendering/pool.ts'
import type { Gate } from './gate.ts'

/** Before the database is asked: a full server has nothing to spend on a refusal. */
export const room: Gate = (visitor, { pool }) => {
  if (pool.full()) throw serverBusy()
  return visitor
}
