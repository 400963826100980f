/** An error at the start that the operator can fix: printed as one line without a stack; the process exits with 1. */
export class StartError extends Error {
  override name = 'StartError' as const
}
