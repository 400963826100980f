import type { Route } from '../http/route.ts'
import { altText } from './ai/alt-text.ts'
import { enhance } from './ai/enhance.ts'
import { recommend } from './ai/recommend.ts'
import { rename } from './ai/rename.ts'
import { smartCrop } from './ai/smart-crop.ts'
import { audit } from './api/admin/audit.ts'
import { grantCredits } from './api/admin/credits.ts'
import { systemState } from './api/admin/system/index.ts'
import { changeAnyUser } from './api/admin/user.ts'
import { showAnyUser } from './api/admin/user-detail.ts'
import { addUser, listUsers } from './api/admin/users.ts'
import { signIn } from './api/auth/sign-in.ts'
import { signOut } from './api/auth/sign-out.ts'
import { signUp } from './api/auth/sign-up.ts'
import { backgroundRemove } from './api/background-remove.ts'
import { stripeWebhook } from './api/stripe/webhook.ts'
import { showAi } from './api/user/ai.ts'
import { removeAiKey, saveAiKey, showAiKey } from './api/user/ai-key.ts'
import { tryAiModel } from './api/user/ai-key-test.ts'
import { renameApiKey, revokeApiKey } from './api/user/api-key.ts'
import { listApiKeys, makeApiKey } from './api/user/api-keys.ts'
import { listOwnBatches } from './api/user/batches.ts'
import { checkout } from './api/user/checkout.ts'
import { showPurchase } from './api/user/purchase.ts'
import { endOtherOwnSessions, endOwnSession, listOwnSessions } from './api/user/sessions.ts'
import { changeUser, deleteUser, showUser } from './api/user/user.ts'
import { listWebhookDeliveries, redeliverWebhook } from './api/user/webhook-deliveries.ts'
import { rotateWebhookSecret, showWebhookSecret } from './api/user/webhook-secret.ts'
import { operationRoutes } from './api/v1/operations.ts'
import { batchRoutes } from './api/v2/batch/index.ts'
import { credits } from './api/v2/credits.ts'
import { creditsLedger } from './api/v2/credits-ledger.ts'
import { usage } from './api/v2/usage.ts'
import { usageCalls } from './api/v2/usage-calls.ts'
import { documentationRoutes } from './docs/index.ts'
import { healthz } from './system/healthz.ts'
import { metrics } from './system/metrics.ts'
import { readyz } from './system/readyz.ts'

/** What the OpenAPI document and the reference have; both are routes themselves, below. */
export const documented: readonly Route[] = [
  ...operationRoutes,
  backgroundRemove,
  ...batchRoutes,
  ...[altText, rename, smartCrop, enhance, recommend],
  listOwnBatches,
  ...[usage, usageCalls, credits, creditsLedger, checkout, showPurchase, stripeWebhook],
  ...[signUp, signIn, signOut, showUser, changeUser, deleteUser],
  ...[listOwnSessions, endOwnSession, endOtherOwnSessions],
  ...[listApiKeys, makeApiKey, renameApiKey, revokeApiKey],
  ...[showAi, showAiKey, saveAiKey, removeAiKey, tryAiModel],
  ...[showWebhookSecret, rotateWebhookSecret, listWebhookDeliveries, redeliverWebhook],
  ...[listUsers, addUser, showAnyUser, changeAnyUser, grantCredits, audit, systemState],
  ...[healthz, readyz, metrics],
]

/** Every endpoint of the service. A route that is not listed here does not exist. */
export const routes: readonly Route[] = [...documented, ...documentationRoutes(documented)]
