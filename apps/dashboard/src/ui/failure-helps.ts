/** Links to pages that help with an error. */
export const failureHelps: Readonly<Record<string, { readonly href: string; readonly label: string }>> = {
  api_access_not_available: { href: '/credits', label: 'Get credits' },
  insufficient_credits: { href: '/credits', label: 'Get credits' },
  monthly_limit_exceeded: { href: '/usage', label: 'See the usage' },
  no_saved_ai_key: { href: '/ai', label: 'Save a key' },
  ai_access_denied: { href: '/ai', label: 'Use a model of your own' },
}
