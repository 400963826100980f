import { Socket } from 'node:net'

/** Errors of a socket to PostgreSQL; the same codes on other sockets do not concern the database. */
const socketErrors = new WeakSet<object>()

/** The socket of one of our connections. */
export const databaseSocket = (): Socket => new Socket().on('error', (error) => void socketErrors.add(error))

/**
 * Error classes and codes of PostgreSQL's manual, appendix A: broken connections; a server that starts, stops or lacks resources;
 * a faulty disk.
 */
const CODES = /^08...$|^57P0[1-5]$|^53...$|^58030$/

/** Messages of `pg` and `pg-pool` 8, without a code, for connections that end or time out. */
const WORDS =
  /^Connection terminated|^timeout exceeded when trying to connect$|^timeout expired$|is not queryable$|^Cannot use a pool after calling end/

/** Whether a statement failed because the database could not be reached, whatever the statement. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return socketErrors.has(error) || WORDS.test(error.message) || ('code' in error && CODES.test(String(error.code)))
}
