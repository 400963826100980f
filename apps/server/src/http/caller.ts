import type { Actor } from '../accounts/audit.ts'
import type { Login } from '../accounts/login-tokens.ts'
import type { Visitor } from '../admission/visitor.ts'
import type { Call } from './route.ts'

/** The caller, for the audit log. */
export const actorOf = ({ visitor, request }: Pick<Call, 'visitor' | 'request'>): Actor => ({
  accountId: visitor.login?.user.id ?? null,
  requestId: request.id,
  address: visitor.address,
})

/** The login of a route whose admission is `login` or `admin`. */
export function loginOf({ login }: Visitor): Login {
  if (!login) throw new Error('a route that needs a login was reached without one')
  return login
}

/** The account of a route that a key or a login may call. */
export function accountOf({ account }: Visitor): string {
  if (account === undefined) throw new Error('a route that needs an account was reached without one')
  return account
}
