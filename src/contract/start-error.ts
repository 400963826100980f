/** A reason not to start that the operator can mend: printed as one line, without a stack, and the process exits with 1. */
export class StartError extends Error {
  override name = 'StartError' as const
}
