/** When each part of a start began and ended: milliseconds since the process began. */
export type PhaseTimes = Readonly<Record<string, readonly [began: number, ended: number]>>

/** For operators who wonder what a start waits for, and for the bench. */
export interface StartPhases {
  during<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  times(): PhaseTimes
}

export function startPhases(): StartPhases {
  const times: Record<string, readonly [number, number]> = {}
  return {
    async during(name, work) {
      const began = performance.now()
      try {
        return await work()
      } finally {
        times[name] = [Math.round(began), Math.round(performance.now())]
      }
    },
    times: () => times,
  }
}

/** As Promise.all, but when it rejects nothing is under way any more: what was opened meanwhile can be closed. */
export async function allDone<Results extends readonly unknown[]>(
  work: {
    readonly [At in keyof Results]: Promise<Results[At]>
  },
): Promise<Results> {
  await Promise.allSettled(work)
  return (await Promise.all(work)) as unknown as Results
}
