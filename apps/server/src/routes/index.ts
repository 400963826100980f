import type { Config } from '../config.ts'
import type { Route } from '../http/route.ts'
import { removeAiKey, saveAiKey, showAi, showAiKey, tryAiModel } from './accounts/ai-model.ts'
import { listApiKeys, makeApiKey, renameApiKey, revokeApiKey } from './accounts/api-keys.ts'
import { credits, creditsLedger } from './accounts/credits.ts'
import { listOwnPresets, removePresetRoute, savePresetRoute } from './accounts/presets.ts'
import { checkout, showPurchase, stripeWebhook } from './accounts/purchases.ts'
import { endOtherOwnSessions, endOwnSession, listOwnSessions } from './accounts/sessions.ts'
import { signIn, signOut, signUp } from './accounts/sign-in.ts'
import {
  listOwnSources,
  purgeSource,
  removeSourceRoute,
  rotateSourceSecret,
  saveSourceRoute,
  showOwnSource,
  signSourceUrl,
} from './accounts/sources.ts'
import { usage, usageCalls } from './accounts/usage.ts'
import { changeUser, deleteUser, showUser } from './accounts/user.ts'
import { listWebhookDeliveries, redeliverWebhook, rotateWebhookSecret, showWebhookSecret } from './accounts/webhooks.ts'
import { systemState } from './administration/system.ts'
import { showAnyUser } from './administration/user-detail.ts'
import { addUser, audit, changeAnyUser, grantCredits, listUsers } from './administration/users.ts'
import { altText } from './ai/alt-text.ts'
import { enhance } from './ai/enhance.ts'
import { recommend } from './ai/recommend.ts'
import { rename } from './ai/rename.ts'
import { smartCrop } from './ai/smart-crop.ts'
import { backgroundRemove } from './background-remove.ts'
import { showBatchLimits, startBatch } from './batch/create.ts'
import { followBatch } from './batch/events.ts'
import { downloadBatch } from './batch/result.ts'
import { deleteBatch, listBatchEntries, listOwnBatches, showBatch } from './batch/status.ts'
import { deliverByImgproxyUrl, deliverImage } from './delivery.ts'
import { documentationRoutes } from './docs/index.ts'
import { images } from './images.ts'
import { info } from './info.ts'
import { mcp } from './mcp.ts'
import { operationRoutes } from './operations.ts'
import { type Pages, pageRoutes } from './pages.ts'
import { previews } from './previews.ts'
import { healthz, metrics, openMetrics, readyz } from './probes.ts'
import { changeOutput, changeOutputByGet, showOutput } from './tinify/output.ts'
import { shrink } from './tinify/shrink.ts'
import { resumeUpload, sendUpload, uploadOptions } from './uploads/send.ts'
import { deleteUpload, downloadUpload } from './uploads/stored.ts'
import { appendTusUpload, createTusUpload, deleteTusUpload, overrideTusUpload, showTusUpload, tusOptions } from './uploads/tus.ts'

/** The endpoints of the OpenAPI document and the reference. */
export const documented: readonly Route[] = [
  ...operationRoutes,
  images,
  info,
  ...[listOwnPresets, savePresetRoute, removePresetRoute, previews],
  ...[deliverImage, listOwnSources, showOwnSource, saveSourceRoute],
  ...[removeSourceRoute, rotateSourceSecret, purgeSource, signSourceUrl],
  backgroundRemove,
  ...[sendUpload, uploadOptions, downloadUpload, resumeUpload, deleteUpload],
  ...[createTusUpload, tusOptions, showTusUpload, appendTusUpload, overrideTusUpload, deleteTusUpload],
  ...[showBatchLimits, startBatch, showBatch],
  ...[listBatchEntries, followBatch, downloadBatch, deleteBatch],
  ...[altText, rename, smartCrop, enhance, recommend],
  mcp,
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

/** Endpoints of other services, whose clients and documents exist: docs/tinify.md. */
const compatible: readonly Route[] = [shrink, showOutput, changeOutput, changeOutputByGet]

/** Every endpoint of the service. */
export const routes: readonly Route[] = [...documented, ...compatible, ...documentationRoutes(documented, undefined, compatible)]

/** What the server serves: endpoints, documentation and dashboard. The script of the documentation is built with the dashboard. */
export const servedRoutes = (
  pages: Pages | undefined,
  { METRICS_TOKEN: token, DELIVERY_DIALECTS: dialects }: Pick<Config, 'METRICS_TOKEN' | 'DELIVERY_DIALECTS'>,
): readonly Route[] => [
  ...(token === undefined ? documented.filter((route) => route !== metrics) : documented),
  ...compatible,
  ...documentationRoutes(documented, pages?.referenceScript, compatible),
  ...pageRoutes(pages),
  ...(dialects.includes('imgproxy') ? [deliverByImgproxyUrl] : []),
]

/** What METRICS_PORT serves. */
export const probeRoutes: readonly Route[] = [healthz, readyz, openMetrics]
