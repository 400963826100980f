/** The addresses of all pages; the server answers only these with the document. */
export const paths = [
  '/',
  '/sign-in',
  '/sign-up',
  '/compress',
  '/playground',
  '/background',
  '/describe',
  '/inspect',
  '/edit/new',
  '/edit/resize',
  '/edit/watermark',
  '/presets',
  '/presets/:name',
  '/sources',
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
