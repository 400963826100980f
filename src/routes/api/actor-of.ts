import type { Actor } from '../../accounts/audit.ts'
import type { Call } from '../../http/route.ts'

/** Who asks for a change, for the audit log. */
export const actorOf = ({ visitor, request }: Pick<Call, 'visitor' | 'request'>): Actor => ({
  accountId: visitor.login?.user.id ?? null,
  requestId: request.id,
  address: visitor.address,
})
