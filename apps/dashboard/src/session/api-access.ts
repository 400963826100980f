import type { User } from './session.svelte.ts'

/** Whether the plan pays for calls with an API key and for batches; on other plans each takes a credit. */
export const planHasApi = (plan: User['plan'] | undefined): boolean => plan === 'team' || plan === 'enterprise'

/** Whether calls with an API key, and batches, are answered at all. */
export const mayCallApi = (user: User | undefined): boolean => planHasApi(user?.plan) || (user?.credits ?? 0) > 0
