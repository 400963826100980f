import { modelsSettings } from 'pixelmill/settings/models'
import { renderingSettings } from 'pixelmill/settings/rendering'
import type { Setting } from 'pixelmill/settings/setting'
import { accountsSettings } from './accounts.ts'
import { aiSettings } from './ai.ts'
import { backgroundSettings } from './background.ts'
import { backgroundProviderSettings } from './background-provider.ts'
import { batchSettings } from './batch.ts'
import { billingSettings } from './billing.ts'
import { deliverySettings } from './delivery.ts'
import { serverSettings } from './server.ts'
import { storageSettings } from './storage.ts'
import { tracingSettings } from './tracing.ts'

/** Every setting, in the order of the documentation: docs/configuration.md and .env.example are made from this table. */
export const settings = {
  ...serverSettings,
  ...storageSettings,
  ...accountsSettings,
  ...renderingSettings,
  ...batchSettings,
  ...deliverySettings,
  ...billingSettings,
  ...aiSettings,
  ...backgroundSettings,
  ...backgroundProviderSettings,
  ...modelsSettings,
  ...tracingSettings,
} as const satisfies Record<string, Setting>

interface SettingGroup {
  readonly title: string
  readonly rows: Readonly<Record<string, Setting>>
}

/** The same settings by subject, as docs/configuration.md lists them. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Server', rows: serverSettings },
  { title: 'Database and files', rows: storageSettings },
  { title: 'Accounts', rows: accountsSettings },
  { title: 'Rendering', rows: renderingSettings },
  { title: 'Batches and uploads', rows: batchSettings },
  { title: 'Images by URL', rows: deliverySettings },
  { title: 'Selling credits', rows: billingSettings },
  { title: 'AI', rows: aiSettings },
  { title: 'Background removal', rows: { ...backgroundSettings, ...backgroundProviderSettings } },
  { title: 'Models', rows: modelsSettings },
  { title: 'Traces', rows: tracingSettings },
]
