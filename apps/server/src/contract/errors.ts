import { imageErrors } from '@pixelmill/codecs/contract/image-errors'
import { type ErrorRow, serverErrors } from './server-errors.ts'
import { uploadErrors } from './upload-errors.ts'

/**
 * Every error a client can meet. OpenAPI, the errors page and the tests are made from this table.
 * Identifiers and statuses never change, since programs branch on them.
 */
export const errors = {
  missing_form_data: {
    status: 400,
    message: 'Send the request body as multipart/form-data.',
    when: 'The body is neither multipart/form-data nor, where accepted, an image; or the form is damaged.',
  },
  missing_image_file: {
    status: 400,
    message: 'Send the image as a file in the form field "image".',
    when: 'The form has no file, or an empty one, in the field `image`.',
  },
  missing_watermark_file: {
    status: 400,
    message: 'Send the watermark as a file in the form field "watermark".',
    when: 'The form has no file, or an empty one, in the field `watermark`.',
  },
  missing_archive_file: {
    status: 400,
    message: 'Send the ZIP archive as a file in the form field "file".',
    when: 'The form has no file, or an empty one, in the field `file`.',
  },
  file_too_large: { status: 400, ...imageErrors.file_too_large },
  invalid_image_type: { status: 400, ...imageErrors.invalid_image_type },
  invalid_image: { status: 400, ...imageErrors.invalid_image },
  image_too_large: { status: 400, ...imageErrors.image_too_large },
  invalid_archive: {
    status: 400,
    message: 'The archive cannot be used; send an intact, unencrypted ZIP file.',
    when: 'Batch only: the file is not a ZIP, is damaged, split, encrypted or compressed by a method other than Deflate, or an entry has a wrong size or position or an unsafe path. The message says which.',
  },
  archive_too_large: {
    status: 400,
    message: 'The archive exceeds the limits of a batch; split it into several.',
    when: 'The archive has more bytes, entries or unpacked bytes than allowed.',
  },
  archive_has_no_images: {
    status: 400,
    message: 'The archive contains no images.',
    when: 'No entry of the archive has the signature or the name of an image.',
  },
  invalid_params: { status: 400, ...imageErrors.invalid_params },
  invalid_stripe_signature: {
    status: 400,
    message: 'The Stripe-Signature does not match the body, or its time is more than five minutes off.',
    when: "Stripe's webhook: the signature was not made with STRIPE_WEBHOOK_SECRET over these bytes within 300 seconds of now.",
  },
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP.',
    when: 'The request line or the headers cannot be parsed, or are too long.',
  },
  missing_or_invalid_api_key: {
    status: 401,
    message: 'Send your API key in the header "Authorization: Bearer sk_…".',
    when: 'The Authorization header is missing or malformed.',
  },
  invalid_or_revoked_api_key: {
    status: 401,
    message: 'This API key is unknown or was revoked; use another one.',
    when: 'The key was not found, was revoked, or its account is disabled.',
  },
  api_access_not_available: {
    status: 401,
    message:
      "The account's plan has no API access. Buy API credits on the dashboard's page Credits, or ask the administrator of this server for credits or for the plan Team or Enterprise.",
    when: "The account's plan has no API access, and it never had credits.",
  },
  missing_or_invalid_login_token: {
    status: 401,
    message: 'Sign in, and send the token in the header "Authorization: Bearer at_…".',
    when: 'The login token or session cookie is missing or malformed.',
  },
  invalid_or_expired_login_token: {
    status: 401,
    message: 'This sign-in has ended; sign in again.',
    when: 'The token or session is unknown, older than 30 days or signed out, or its account is disabled.',
  },
  invalid_credentials: {
    status: 401,
    message: 'The e-mail address or the password is wrong.',
    when: 'No enabled account has this e-mail address and password. Also for a wrong `currentPassword`.',
  },
  insufficient_credits: {
    status: 402,
    message: 'No API credits are left; buy more to continue.',
    when: 'A pay-as-you-go account has used up its credits, or calls in progress have reserved the rest; the message says which.',
  },
  invalid_signature: {
    status: 403,
    message: 'The URL is not signed by a secret of its source, or its time is over.',
    when: 'Delivery: the signature is missing or wrong, or the time of `e` has passed.',
  },
  forbidden: {
    status: 403,
    message: 'You do not have permission for this.',
    when: 'The endpoint is for administrators, the API key lacks the scope that the message names, or a browser sent the request on behalf of another site.',
  },
  ai_access_denied: {
    status: 403,
    message: 'AI needs the Pro, Team or Enterprise plan, or a sign-in with a model of your own (userProvider).',
    when: 'The plan has no AI, or `userProvider` is sent without a login token or session.',
  },
  no_saved_ai_key: {
    status: 403,
    message: 'No AI key is saved on this account; save one with PUT /api/user/ai-key, or send apiKey.',
    when: '`useAccountKey` is true, but the account has no readable saved key; or a value missing from a test of a key is not saved either.',
  },
  sign_up_closed: {
    status: 403,
    message: 'Sign-up is closed on this server; ask its administrator for an account.',
    when: 'The operator has switched sign-up off (SIGN_UP=closed).',
  },
  not_found: {
    status: 404,
    message: 'There is nothing at this address.',
    when: "The path is unknown, or the object does not exist or is another account's.",
  },
  batch_not_found: {
    status: 404,
    message: 'There is no such batch; check the id, and that it is a batch of this account.',
    when: "The batch does not exist, was deleted, or is another account's.",
  },
  ai_key_not_found: {
    status: 404,
    message: 'No AI key is saved on this account.',
    when: '`GET` or `DELETE /api/user/ai-key`: nothing is saved.',
  },
  preset_not_found: {
    status: 404,
    message: 'There is no such preset; check its name, and that it is one of this account.',
    when: "The preset does not exist, or is another account's.",
  },
  source_not_found: {
    status: 404,
    message: 'There is no such source; check its name.',
    when: "No source has this name, its account is disabled, or it is another account's.",
  },
  source_image_not_found: {
    status: 404,
    message: 'The source has no such image; check the path.',
    when: 'The source has no such file, or answered 404 or 410.',
  },
  method_not_allowed: {
    status: 405,
    message: 'Use one of the methods in the Allow header.',
    when: 'The path does not support this method.',
  },
  email_taken: {
    status: 409,
    message: 'This e-mail address already has an account; sign in, or use another one.',
    when: 'Sign-up with, or change to, an e-mail address that already has an account.',
  },
  last_administrator: {
    status: 409,
    message: 'Make another account an administrator first: this is the last enabled one.',
    when: 'The change would leave the service without an enabled administrator.',
  },
  batch_not_completed: {
    status: 409,
    message: 'The batch is not completed yet; check its status and request the result later.',
    when: 'The batch is not completed. `Retry-After` says when to ask again.',
  },
  batch_failed: {
    status: 409,
    message: 'The batch has no result: none of its images could be converted. Its status says why.',
    when: 'The result of a failed batch is requested.',
  },
  too_many_api_keys: {
    status: 409,
    message: 'An account has at most 100 API keys; revoke one first.',
    when: 'The account has 100 API keys that are not revoked.',
  },
  too_many_presets: {
    status: 409,
    message: 'An account has at most 100 presets; remove one first.',
    when: 'The account has 100 presets, and the name is new.',
  },
  too_many_sources: {
    status: 409,
    message: 'An account has at most 20 sources; remove one first.',
    when: 'The account has 20 sources, and the name is new.',
  },
  name_taken: {
    status: 409,
    message: 'Another account of this server has a source of this name; choose another one.',
    when: 'Sources: the name, which is part of public URLs, belongs to another account.',
  },
  too_many_batches: {
    status: 429,
    message: 'This account has too many unfinished batches; wait for one of them to end.',
    when: 'The account has 100 unfinished batches (BATCHES_PER_ACCOUNT), or their archives exceed 8 GB with this one (BATCH_MB_PER_ACCOUNT).',
  },
  idempotency_key_reused: {
    status: 409,
    message: 'This Idempotency-Key belongs to another request; use a new one for each.',
    when: 'The `Idempotency-Key` was used for another request within 24 hours, or the first is still running; then there is a `Retry-After`.',
  },
  batch_result_expired: {
    status: 410,
    message: 'The result was kept for 24 hours and is gone; send the images again.',
    when: 'The batch ended more than 24 hours ago.',
  },
  range_not_satisfiable: {
    status: 416,
    message: 'The range is outside the file; Content-Range has its size.',
    when: 'A `Range` begins after the end of the result, as when all of it was downloaded.',
  },
  background_not_separable: { status: 422, ...imageErrors.background_not_separable },
  cannot_fit: { status: 422, ...imageErrors.cannot_fit },
  upload_timeout: {
    status: 408,
    message: 'The upload took too long; send it again over a faster connection.',
    when: 'The body did not arrive completely within UPLOAD_TIMEOUT_S. An archive may take 50 minutes, but must not pause for that time or be slower than 0.5 Mbit/s.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests; wait as long as Retry-After says.',
    when: 'More than 30 requests in any 60 seconds with one API key, 4 AI requests or 8 uploads of archives of one account at once, or too many attempts to sign in or up.',
  },
  monthly_limit_exceeded: {
    status: 429,
    message: "This month's calls are used up; the quota resets with the next UTC month.",
    when: 'The monthly quota of API calls is exhausted.',
  },
  background_quota_exceeded: {
    status: 429,
    message: "This month's background removals are used up; the quota resets with the next UTC month.",
    when: 'The monthly quota of background removals (BG_MONTHLY_LIMIT) is exhausted.',
  },
  ai_daily_limit_exceeded: {
    status: 429,
    message: "Today's AI images are used up; the quota resets at midnight UTC.",
    when: 'The request has more images than are left of the daily AI quota.',
  },
  ai_provider_rate_limited: {
    status: 429,
    message: 'The model server has too many requests at the moment; wait as long as Retry-After says.',
    when: "The caller's model server (`userProvider`) answered 429.",
  },
  ...uploadErrors,
  ...serverErrors,
} as const satisfies Record<string, ErrorRow>

export type ErrorName = keyof typeof errors
