/** Every address that is a page; the server answers these with the document, and nothing else. */
export const paths = [
  '/',
  '/sign-in',
  '/sign-up',
  '/playground',
  '/keys',
  '/usage',
  '/credits',
  '/batches',
  '/batches/:id',
  '/ai',
  '/webhooks',
  '/account',
  '/admin',
  '/admin/:section',
] as const

export type PagePath = (typeof paths)[number]
