import { UnreadableError } from '../reader.ts'

/** Throws an {@link UnreadableError} unless the condition holds; the message says of the file what is wrong. */
export function ensure(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UnreadableError(message)
}
