/**
 * Whose turn is next where accounts share renderers: start-time fair queueing (Goyal, Vin and Cheng, 1996), in seconds of a renderer.
 * Each account has a tag that grows by the time that its images really take, time-outs and crashes included. An account that was
 * idle begins where the last image began: it is next, but has saved nothing up. One whose image took a minute waits until the
 * others, as long as they have work, have had a minute each.
 */
export interface Shares {
  /** Seconds, of images at work too: the account with the least is next. */
  usedBy(account: string): number
  /** Images of the account at work. */
  atWork(account: string): number
  /** An image of the account has a renderer. To call what is returned says that it has it no longer. */
  begin(account: string): () => void
}

interface Account {
  tag: number
  /** When its images at work began, by the clock. */
  readonly began: Set<{ readonly at: number }>
}

/** Accounts whose tags are kept; beyond, those without an image at work begin anew. */
const MOST_ACCOUNTS = 1_000

/** @param now seconds on a clock that only goes forward */
export function accountShares(now: () => number = () => performance.now() / 1000): Shares {
  const accounts = new Map<string, Account>()
  /** The tag of an account that has used nothing lately. */
  let start = 0

  function usedBy(name: string): number {
    const account = accounts.get(name)
    const moment = now()
    const running = [...(account?.began ?? [])].reduce((sum, { at }) => sum + moment - at, 0)
    return Math.max(start, account?.tag ?? 0) + running
  }
  function forget(): void {
    for (const [name, { began }] of accounts) if (began.size === 0) accounts.delete(name)
  }
  return {
    usedBy,
    atWork: (name) => accounts.get(name)?.began.size ?? 0,
    begin(name) {
      if (accounts.size >= MOST_ACCOUNTS) forget()
      const account = accounts.get(name) ?? { tag: start, began: new Set() }
      accounts.set(name, account)
      account.tag = Math.max(start, account.tag)
      start = Math.max(start, usedBy(name))
      const image = { at: now() }
      account.began.add(image)
      return () => {
        if (account.began.delete(image)) account.tag += now() - image.at
      }
    },
  }
}
