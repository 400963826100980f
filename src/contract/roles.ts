/** What an account may do beside its plan: an administrator may change the accounts of others. */
export const roles = ['user', 'admin'] as const

export type Role = (typeof roles)[number]
