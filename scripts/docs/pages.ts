import { clientTypes } from '../../client/api-types.ts'
import { apiTypes } from '../../dashboard/api-types.ts'
import { BATCH_ERROR_CODES } from '../../src/contract/batch-status.ts'
import { type ErrorName, errors } from '../../src/contract/errors.ts'
import { warnings } from '../../src/contract/warnings.ts'
import { openapi } from '../../src/http/openapi.ts'
import { errorExample } from '../../src/http/openapi-errors.ts'
import { routes } from '../../src/routes/index.ts'
import { settings } from '../../src/settings/index.ts'
import type { Setting } from '../../src/settings/setting.ts'
import { accountsPage } from './accounts-page.ts'
import { cliPage } from './cli-page.ts'
import { formatsPage } from './formats-page.ts'
import { grafanaDashboard } from './grafana-dashboard.ts'
import { imageOperationsModule } from './image-operations.ts'
import { observabilityPage } from './observability-page.ts'
import { recipesPage } from './recipes-page.ts'
import { securityPage } from './security-page.ts'
import { stepFormsModule } from './step-forms.ts'
import { toolFormsModule } from './tool-forms.ts'

/** The generated files, by path. `npm run docs` writes them; test/docs checks that they are current. */
export const generatedPages = async (): Promise<Readonly<Record<string, string>>> => ({
  'docs/openapi.json': `${JSON.stringify(openapi(routes), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/security.md': securityPage(),
  'docs/accounts.md': accountsPage(),
  'docs/cli.md': cliPage(),
  'docs/recipes.md': recipesPage(),
  'docs/formats.md': formatsPage(GENERATED),
  'docs/observability.md': observabilityPage(),
  'monitoring/grafana-dashboard.json': grafanaDashboard(),
  '.env.example': environmentExample(),
  'dashboard/src/api/schema.d.ts': await apiTypes(openapi(routes)),
  'client/src/api-types.ts': await clientTypes(openapi(routes.filter(({ tag }) => CLIENT_PARTS.includes(tag)))),
  'dashboard/src/api/image-operations.ts': imageOperationsModule(),
  'dashboard/src/api/tool-forms.ts': toolFormsModule(),
  'dashboard/src/api/step-forms.ts': stepFormsModule(),
})

/** Of the API, what the TypeScript client has types of. */
const CLIENT_PARTS = ['Images', 'Recipes', 'Batch', 'AI']

const GENERATED = 'Made by `npm run docs` from the code; edits here are lost.'

function errorsPage(): string {
  const rows = Object.entries(errors).map(
    ([name, { status, when, message }]) => `| ${status} | \`${name}\` | ${when} | ${message} |`,
  )
  const warningRows = Object.entries(warnings).map(([name, text]) => `| \`${name}\` | ${text} |`)
  const example = JSON.stringify(errorExample('invalid_params' satisfies ErrorName), null, 2)
  return `# Errors

${GENERATED}

Every error is JSON. Branch on \`statusMessage\`: it never changes. A call that fails is not charged.

\`\`\`json
${example}
\`\`\`

| status | identifier | when | what to do |
|---|---|---|---|
${rows.join('\n')}

${BATCH_ERROR_CODES}

## Warnings

If an image answer does not contain all of the file, the header \`X-Image-Warnings\` lists identifiers, separated by commas.

| identifier | meaning |
|---|---|
${warningRows.join('\n')}
`
}

const rowsOfSettings = (): readonly (readonly [string, Setting])[] => Object.entries(settings)

function configurationPage(): string {
  const rows = rowsOfSettings().map(
    ([name, { otherwise, description, secret }]) => `| \`${name}\` | ${otherwise} | ${description}${secret ? ' Secret.' : ''} |`,
  )
  return `# Configuration

${GENERATED}

Settings are environment variables, or lines \`NAME=value\` of a file named \`.env\` in the folder where the server starts;
variables take precedence. With an invalid setting the server does not start and says in one line what it must be.

| setting | default | |
|---|---|---|
${rows.join('\n')}
`
}

function environmentExample(): string {
  const blocks = rowsOfSettings().map(
    ([name, { otherwise, description }]) => `# ${description}\n# Default: ${otherwise}\n#${name}=\n`,
  )
  return `# Copy to .env and remove the # before what you set. ${GENERATED.replaceAll('`', '')}\n\n${blocks.join('\n')}`
}
