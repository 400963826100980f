import type pg from 'pg'
import { deleteInSlices } from '../database/delete-in-slices.ts'

/** Forgets which events were worked off more than 90 days ago; returns how many. What they changed stays. */
export const forgetOldEvents = (pool: pg.Pool): Promise<number> =>
  deleteInSlices(pool, 'stripe_event', "at < now() - interval '90 days'")
