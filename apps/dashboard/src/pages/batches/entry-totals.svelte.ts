import { untrack } from 'svelte'
import { type Answer, api } from '../../api/client.ts'
import { type Resource, resource } from '../../api/resource.svelte.ts'
import { type BatchState, hasEnded } from './batch-follower.svelte.ts'

export type EntryTotals = Answer<'/api/v2/batch/{id}/entries', 'get'>['totals']

/** The minimum interval, however fast the batch progresses. */
const AGAIN_MS = 2_000

/** Totals of a batch's files, refreshed while it runs and at its end. */
export function entryTotals(id: string, batch: () => BatchState | undefined): Resource<EntryTotals> {
  const isOver = $derived.by(() => {
    const state = batch()
    return state !== undefined && hasEnded(state)
  })
  let readAt = $state(untrack(batch)?.progress.done)
  $effect(() => {
    if (isOver) return
    const clock = setInterval(() => (readAt = batch()?.progress.done), AGAIN_MS)
    return () => clearInterval(clock)
  })
  return resource(async (signal) => {
    void [readAt, isOver]
    const { totals } = await api.get('/api/v2/batch/{id}/entries', { path: { id }, query: { limit: 1 }, signal })
    return totals
  })
}
