import { mayWait } from '../concurrency/may-wait.ts'

/** One upload in memory. Dispose of it when its memory is free; repeated disposal is harmless. */
export interface HeldUpload extends Disposable {
  add(bytes: number): void
  /** The upload is complete: from now on it is not given up. */
  arrived(): void
}

/** Limits the bytes of all uploads in memory: those that are arriving, waiting for a renderer, or being answered. */
export interface HeldUploads {
  /** Whether this account, or one without uploads, has used up its share. */
  full(account?: string): boolean
  bytes(): number
  /** @param giveUp called, at most once, when memory is short and this upload is the one to go */
  begin(account: string, giveUp: () => void): HeldUpload
}

/** Uploads of one account. */
interface Account {
  bytes: number
  /** The longest first. */
  readonly arriving: Map<HeldUpload, () => void>
  /** Uploads that are counted, arriving or not. */
  held: number
}

/**
 * When an account has used up its share, by the rule of `mayWait`, the upload that has been arriving for the longest time is given up:
 * of the account that holds most. Otherwise a thousand slow uploads would block all others.
 * @param most bytes
 */
export function heldUploads(most: number): HeldUploads {
  const accounts = new Map<string, Account>()
  let total = 0

  function accountOf(name: string): Account {
    const account = accounts.get(name) ?? { bytes: 0, arriving: new Map(), held: 0 }
    accounts.set(name, account)
    return account
  }
  const isFull = ({ bytes }: Pick<Account, 'bytes'>) => !mayWait(bytes, total, most)

  function giveUpSlowest(own: Account): void {
    while (isFull(own)) {
      const largest = accounts.values().reduce((most, one) => (one.arriving.size > 0 && one.bytes > most.bytes ? one : most), own)
      const [slowest] = largest.arriving
      if (!slowest) return
      const [upload, giveUp] = slowest
      // Its chunks can be collected as soon as `giveUp` has been called.
      upload[Symbol.dispose]()
      giveUp()
    }
  }
  return {
    full: (name = '') => isFull(accounts.get(name) ?? { bytes: 0 }),
    bytes: () => total,
    begin(name, giveUp) {
      const account = accountOf(name)
      account.held++
      let bytes = 0
      let isHeld = true
      const upload: HeldUpload = {
        add(more) {
          if (!isHeld) return
          bytes += more
          account.bytes += more
          total += more
          giveUpSlowest(account)
        },
        arrived: () => void account.arriving.delete(upload),
        [Symbol.dispose]() {
          if (!isHeld) return
          isHeld = false
          total -= bytes
          account.bytes -= bytes
          account.held--
          account.arriving.delete(upload)
          if (account.held === 0) accounts.delete(name)
        },
      }
      account.arriving.set(upload, giveUp)
      return upload
    },
  }
}
