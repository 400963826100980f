import { shownCount, shownNumber } from '../../shown/numbers.ts'
import type { Allowance } from './compression.svelte.ts'

/** What compressing as many pictures costs, before it does: "Up to 30 calls of the 4,312 left this month. Failures cost nothing." */
export function costWords(pictures: number, allowance: Allowance | undefined): string {
  const isOfCredits = allowance?.by === 'credits'
  const unit = isOfCredits ? 'credit' : 'call'
  const cost = `Up to ${shownCount(pictures, unit)}`
  const remaining = allowance?.remaining
  if (remaining == null) return `${cost}: pictures that fail cost nothing.`
  const rest = `${shownNumber(remaining)} left${isOfCredits ? '' : ' this month'}`
  return pictures > remaining
    ? `${cost}, but only ${rest}: ${shownCount(pictures - remaining, 'picture')} will wait.`
    : `${cost} of the ${rest}. Pictures that fail cost nothing.`
}
