import type { FaultKind } from './provider-fault.ts'

/** What is told of a service that cuts out. */
export interface ProviderEvents {
  /** One request to it ended so, after so many seconds; `skipped`: none was made. */
  onAnswer(outcome: 'ok' | 'unusable' | FaultKind, seconds: number): void
  /** Something that the operator may have to see to; the same at most once in ten minutes, without secrets. */
  onFault(words: string): void
}
