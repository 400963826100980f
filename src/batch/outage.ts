/** Hears of every failure and success of something, and tells of the first failure and of its end: not of a thousand between. */
export interface Outage {
  failed(error: unknown): void
  worked(): void
}

export interface OutageEvents {
  onBegin(error: unknown): void
  onEnd(): void
}

export function outage({ onBegin, onEnd }: OutageEvents): Outage {
  let out = false
  return {
    failed(error) {
      if (!out) onBegin(error)
      out = true
    },
    worked() {
      if (out) onEnd()
      out = false
    },
  }
}
