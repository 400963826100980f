/** Whose model answers: the operator's, or the caller's own. */
export const providers = ['platform', 'byok'] as const

export type Provider = (typeof providers)[number]
