import { randomUUID } from 'node:crypto'
import type { User } from '../../src/accounts/account.ts'
import { send } from './json-call.ts'

export interface SignedIn {
  readonly token: string
  readonly expiresAt: string
  readonly user: User
}

export interface Person extends SignedIn {
  readonly email: string
  readonly password: string
}

export const newAddress = (): string => `${randomUUID()}@example.com`

/** A new account with a session. */
export async function signUp(url: string, password = 'correct horse'): Promise<Person> {
  const email = newAddress()
  const { status, body } = await send<SignedIn>(url, 'POST /api/auth/sign-up', { body: { email, password } })
  if (status !== 201) throw new Error(`sign-up answered ${status}: ${JSON.stringify(body)}`)
  return { ...body, email, password }
}
