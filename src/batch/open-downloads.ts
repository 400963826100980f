import { limits } from '../contract/limits.ts'

/** Results that accounts download from this process now: each holds pieces that were read ahead for as long as its reader takes. */
export interface OpenDownloads {
  /** Returns what ends it, once; undefined when the account has too many already. */
  begin(accountId: string): (() => void) | undefined
  /** Of all accounts. */
  count(): number
}

export function openDownloads(most: number = limits.openDownloads): OpenDownloads {
  const open = new Map<string, number>()
  function change(accountId: string, by: 1 | -1): void {
    const count = (open.get(accountId) ?? 0) + by
    if (count > 0) open.set(accountId, count)
    else open.delete(accountId)
  }
  return {
    begin(accountId) {
      if ((open.get(accountId) ?? 0) >= most) return undefined
      change(accountId, 1)
      return () => change(accountId, -1)
    },
    count: () => [...open.values()].reduce((sum, each) => sum + each, 0),
  }
}
