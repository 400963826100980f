import { StartError } from '../contract/start-error.ts'

/** PostgreSQL's error codes an operator can mend: appendix A of its manual. */
const MEND: Readonly<Record<string, string>> = {
  '28P01': 'user or password is wrong; correct them in DATABASE_URL',
  '28000': "this user may not log in from here; correct DATABASE_URL or the server's pg_hba.conf",
  '3D000': 'there is no such database; create it or correct DATABASE_URL',
  '53300': 'it has no free connection; raise its max_connections or stop other clients',
  '57P03': 'it is starting up or shutting down; try again in a moment',
  ECONNREFUSED: 'nothing listens there; start it or correct DATABASE_URL',
  ENOTFOUND: 'no machine has this name; correct DATABASE_URL',
  EAI_AGAIN: 'the name server does not answer; correct DATABASE_URL or the name service',
}

/** One line for the operator out of whatever `pg` threw; never the URL, which holds the password. */
export function explainConnection(error: unknown, place: string): StartError {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  if (message.startsWith('SASL')) return refusal(place, MEND['28P01'])
  return refusal(place, MEND[code] ?? (message || code || String(error)))
}

function refusal(place: string, why: string | undefined): StartError {
  return new StartError(`Cannot use the database at ${place}: ${why}.`)
}
