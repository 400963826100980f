/** `kind` of ai_provider_error. */
export const providerFaults = ['auth', 'quota', 'model_not_found', 'no_vision', 'refused', 'bad_output', 'network'] as const
