import { listApiKeys, makeApiKey, renameApiKey, revokeApiKey } from './accounts/routes/api-keys.ts'
import { listOwnPresets, removePresetRoute, savePresetRoute } from './accounts/routes/presets.ts'
import { endOtherOwnSessions, endOwnSession, listOwnSessions } from './accounts/routes/sessions.ts'
import { signIn, signOut, signUp } from './accounts/routes/sign-in.ts'
import { changeUser, deleteUser, showUser } from './accounts/routes/user.ts'
import { healthz, metrics, openMetrics, readyz } from './administration/probes.ts'
import { systemState } from './administration/system.ts'
import { showAnyUser } from './administration/user-detail.ts'
import { addUser, audit, changeAnyUser, grantCredits, listUsers } from './administration/users.ts'
import { removeAiKey, saveAiKey, showAi, showAiKey, tryAiModel } from './ai/routes/ai-model.ts'
import { altText } from './ai/routes/alt-text.ts'
import { enhance } from './ai/routes/enhance.ts'
import { recommend } from './ai/routes/recommend.ts'
import { rename } from './ai/routes/rename.ts'
import { smartCrop } from './ai/routes/smart-crop.ts'
import { backgroundRemove } from './background/routes/background-remove.ts'
import { showBatchLimits, startBatch } from './batch/routes/create.ts'
import { downloadBatchEntry } from './batch/routes/entry-image.ts'
import { followBatch } from './batch/routes/events.ts'
import { downloadBatch } from './batch/routes/result.ts'
import { deleteBatch, listBatchEntries, listOwnBatches, showBatch } from './batch/routes/status.ts'
import { credits, creditsLedger } from './billing/routes/credits.ts'
import { checkout, showPurchase, stripeWebhook } from './billing/routes/purchases.ts'
import type { Config } from './config.ts'
import {
  deliverByCloudinaryUrl,
  deliverByImgixUrl,
  deliverByImgproxyUrl,
  deliverImage,
  fetchByCloudinaryUrl,
} from './delivery/routes/deliver.ts'
import { listSourceFiles } from './delivery/routes/source-files.ts'
import {
  listOwnSources,
  purgeSource,
  removeSourceRoute,
  rotateSourceSecret,
  saveSourceRoute,
  showOwnSource,
  signSourceUrl,
} from './delivery/routes/sources.ts'
import type { Route } from './http/route.ts'
import { images } from './images/images.ts'
import { info } from './images/info.ts'
import { operationRoutes } from './images/operations.ts'
import { previews } from './images/previews.ts'
import { mcp } from './mcp/routes/mcp.ts'
import { usage, usageCalls } from './metering/routes/usage.ts'
import { type Pages, pageRoutes } from './pages/dashboard.ts'
import { documentationRoutes } from './pages/index.ts'
import { changeOutput, changeOutputByGet, showOutput } from './tinify/output.ts'
import { shrink } from './tinify/shrink.ts'
import { resumeUpload, sendUpload, uploadOptions } from './uploads/routes/send.ts'
import { deleteUpload, downloadUpload } from './uploads/routes/stored.ts'
import {
  appendTusUpload,
  createTusUpload,
  deleteTusUpload,
  overrideTusUpload,
  showTusUpload,
  tusOptions,
} from './uploads/routes/tus.ts'
import { listWebhookDeliveries, redeliverWebhook, rotateWebhookSecret, showWebhookSecret } from './webhooks/routes/webhooks.ts'

/** The endpoints of the OpenAPI document and the reference. */
export const documentedRoutes: readonly Route[] = [
  ...operationRoutes,
  images,
  info,
  listOwnPresets,
  savePresetRoute,
  removePresetRoute,
  previews,
  deliverImage,
  listOwnSources,
  showOwnSource,
  listSourceFiles,
  saveSourceRoute,
  removeSourceRoute,
  rotateSourceSecret,
  purgeSource,
  signSourceUrl,
  backgroundRemove,
  sendUpload,
  uploadOptions,
  downloadUpload,
  resumeUpload,
  deleteUpload,
  createTusUpload,
  tusOptions,
  showTusUpload,
  appendTusUpload,
  overrideTusUpload,
  deleteTusUpload,
  showBatchLimits,
  startBatch,
  showBatch,
  listBatchEntries,
  followBatch,
  downloadBatch,
  downloadBatchEntry,
  deleteBatch,
  altText,
  rename,
  smartCrop,
  enhance,
  recommend,
  mcp,
  listOwnBatches,
  usage,
  usageCalls,
  credits,
  creditsLedger,
  checkout,
  showPurchase,
  stripeWebhook,
  signUp,
  signIn,
  signOut,
  showUser,
  changeUser,
  deleteUser,
  listOwnSessions,
  endOwnSession,
  endOtherOwnSessions,
  listApiKeys,
  makeApiKey,
  renameApiKey,
  revokeApiKey,
  showAi,
  showAiKey,
  saveAiKey,
  removeAiKey,
  tryAiModel,
  showWebhookSecret,
  rotateWebhookSecret,
  listWebhookDeliveries,
  redeliverWebhook,
  listUsers,
  addUser,
  showAnyUser,
  changeAnyUser,
  grantCredits,
  audit,
  systemState,
  healthz,
  readyz,
  metrics,
]

/** Endpoints of other services, whose clients and documents exist: docs/tinify.md. */
const compatible: readonly Route[] = [shrink, showOutput, changeOutput, changeOutputByGet]

/** Every endpoint of the service. */
export const routes: readonly Route[] = [
  ...documentedRoutes,
  ...compatible,
  ...documentationRoutes(documentedRoutes, undefined, compatible),
]

/** What the server serves: endpoints, documentation and dashboard. The script of the documentation is built with the dashboard. */
export const servedRoutes = (
  pages: Pages | undefined,
  { METRICS_TOKEN: token, DELIVERY_DIALECTS: dialects }: Pick<Config, 'METRICS_TOKEN' | 'DELIVERY_DIALECTS'>,
): readonly Route[] => [
  ...(token === undefined ? documentedRoutes.filter((route) => route !== metrics) : documentedRoutes),
  ...compatible,
  ...documentationRoutes(documentedRoutes, pages?.referenceScript, compatible),
  ...pageRoutes(pages),
  ...(dialects.includes('imgproxy') ? [deliverByImgproxyUrl] : []),
  ...(dialects.includes('imgix') ? [deliverByImgixUrl] : []),
  ...(dialects.includes('cloudinary') ? [deliverByCloudinaryUrl, fetchByCloudinaryUrl] : []),
]

/** What METRICS_PORT serves. */
export const probeRoutes: readonly Route[] = [healthz, readyz, openMetrics]
