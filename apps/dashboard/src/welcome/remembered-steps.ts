/** What this browser knows of an account's first steps: `begun` are shown at once, `over` never again. */
export type Remembered = 'begun' | 'over'

const key = (account: string): string => `first-steps:${account}`

export function rememberedSteps(account: string): Remembered | undefined {
  try {
    const value = localStorage.getItem(key(account))
    return value === 'begun' || value === 'over' ? value : undefined
  } catch {
    return undefined
  }
}

export function rememberSteps(account: string, state: Remembered): void {
  try {
    localStorage.setItem(key(account), state)
  } catch {
    // Without storage they are shown again on the next visit.
  }
}
