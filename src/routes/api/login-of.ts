import type { Login } from '../../accounts/login-tokens.ts'
import type { Visitor } from '../../admission/gate.ts'

/** Who is signed in, for routes whose admission is `login` or `admin`. */
export function loginOf({ login }: Visitor): Login {
  if (!login) throw new Error('a route for people was reached without a login')
  return login
}
