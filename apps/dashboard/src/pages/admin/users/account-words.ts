import type { Answer } from '../../../api/client.ts'

export type Account = Answer<'/api/admin/users', 'get'>['data'][number]
export type AccountDetail = Answer<'/api/admin/users/{id}', 'get'>
export type Plan = Account['plan']
export type Role = Account['role']

export const planLabels: Readonly<Record<Plan, string>> = { free: 'Free', pro: 'Pro', team: 'Team', enterprise: 'Enterprise' }
export const roleLabels: Readonly<Record<Role, string>> = { user: 'User', admin: 'Administrator' }

const choicesOf = <Value extends string>(labels: Readonly<Record<Value, string>>) =>
  Object.entries<string>(labels).map(([value, label]) => ({ value: value as Value, label }))

export const planChoices = choicesOf(planLabels)
export const roleChoices = choicesOf(roleLabels)

/** Many have no name. */
export const calledOf = ({ name, email }: Pick<Account, 'name' | 'email'>): string => name || email
