import { Socket } from 'node:net'

/** What went wrong on a socket to PostgreSQL; of a socket to anybody else the same codes say nothing about it. */
const socketErrors = new WeakSet<object>()

/** The socket that each connection of ours is made on. */
export const databaseSocket = (): Socket => new Socket().on('error', (error) => void socketErrors.add(error))

/** Classes and codes of PostgreSQL's manual, appendix A: connections that break; a server that goes, comes, or lacks room; a faulty disk. */
const CODES = /^08...$|^57P0[1-5]$|^53...$|^58030$/

/** What `pg` and `pg-pool` 8 say, without a code, of connections that end or do not come about in time. */
const WORDS =
  /^Connection terminated|^timeout exceeded when trying to connect$|^timeout expired$|is not queryable$|^Cannot use a pool after calling end/

/** Whether a statement failed because the database could not be reached, whatever it was. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return socketErrors.has(error) || WORDS.test(error.message) || ('code' in error && CODES.test(String(error.code)))
}
