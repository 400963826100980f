import { z } from 'zod'
import { existingEmail } from '../../../accounts/email.ts'
import { typedPassword } from '../../../accounts/password-text.ts'
import { signIn as checkAndIssue } from '../../../accounts/sign-in.ts'
import { defineRoute } from '../../../http/route.ts'
import { signedIn, signedInHeaders, signedInReply } from './signed-in.ts'

export const signIn = defineRoute({
  method: 'POST',
  path: '/api/auth/sign-in',
  name: 'signIn',
  tag: 'Account',
  summary: 'Get a login token for an e-mail address and its password, for 30 days.',
  description:
    'An unknown address, a wrong password and a disabled account are answered alike. Ten wrong passwords in 15 minutes for one address are the most from one place.',
  admission: 'signIn',
  json: z.strictObject({ email: existingEmail, password: typedPassword }),
  produces: ['application/json'],
  answer: signedIn,
  headers: signedInHeaders,
  errors: ['invalid_credentials', 'rate_limited', 'server_busy'],
  async handle({ body, request, visitor, services: { database, passwords } }) {
    const { email, earlier: earlierEmail } = body.email
    const caller = { address: visitor.address, userAgent: request.header('user-agent') }
    const attempt = { email, earlierEmail, password: body.password, ...caller }
    return signedInReply(visitor, await checkAndIssue(database.kysely, passwords, attempt))
  },
})
