import type { Json } from '@pixelmill/dashboard/web/sample-request'

// What the samples of the reference send, where the schemas alone do not say it. test/docs/samples.slow.test.ts runs all of them.

/** The picture of the samples. */
export const PHOTO = 'photo.jpg'

/** Files by form field. */
export const files: Readonly<Record<string, string>> = { image: PHOTO, watermark: 'logo.png', file: 'photos.zip' }

/** Values of required fields, by name. */
export const fieldSamples: Readonly<Record<string, string | number>> = {
  x: 0,
  y: 0,
  width: 640,
  height: 480,
  email: 'ada@example.com',
  password: 'a long password',
  name: 'My key',
  note: 'a gift',
  credits: 100,
  packageId: 'starter',
}

const ownModel = { baseUrl: 'https://api.openai.com/v1', model: 'gpt-4o-mini', apiKey: 'sk-0123456789abcdef' }

const recipe = { steps: [{ resize: { width: 640 } }], outputs: [{ format: 'webp' }] }

/** JSON bodies, where the required fields alone do nothing. */
export const bodies: Readonly<Record<string, Json>> = {
  savePreset: { recipe },
  saveSource: { type: 'web', baseUrl: 'https://images.example.com/' },
  purgeSource: { path: PHOTO },
  signSourceUrl: { path: PHOTO, query: 'w=640' },
  changeUser: { name: 'Ada' },
  changeAnyUser: { plan: 'team' },
  saveAiKey: ownModel,
  tryAiModel: ownModel,
  callTool: { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'usage', arguments: {} } },
  stripeWebhook: { id: 'evt_1', object: 'event', type: 'checkout.session.completed' },
}

/** Form fields, where more than the required ones are needed. */
export const formFields: Readonly<Record<string, Readonly<Record<string, string | number>>>> = {
  makeImages: { recipe: JSON.stringify(recipe) },
  makePreview: { pictureWidth: 4_000, operation: 'convert' },
}

/** Paths in place of the template, where a query is needed. */
export const paths: Readonly<Record<string, string>> = {
  deliverImage: `/i/{source}/${PHOTO}?w=640&s={signature}`,
}

const TUS = { 'Tus-Resumable': '1.0.0' } as const

/** Headers without which the request is refused. */
export const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  resumeUpload: { 'Upload-Offset': '0', 'Upload-Complete': '?1' },
  createTusUpload: { ...TUS, 'Upload-Length': '5000000' },
  appendTusUpload: { ...TUS, 'Upload-Offset': '0' },
  deleteTusUpload: TUS,
  callTool: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
  stripeWebhook: { 'Stripe-Signature': 't=1785000000,v1=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd' },
}

/** File names of answers, where the operation does not say them. */
export const outputs: Readonly<Record<string, string>> = {
  makeImages: 'small.webp',
  makePreview: 'preview.webp',
  removeBackground: 'cut-out.png',
  deliverImage: 'delivered.jpg',
  downloadUpload: 'downloaded.jpg',
  showTusUpload: 'downloaded.jpg',
}
