import { warnings } from '@pixelmill/codecs/contract/warnings'
import type { Setting } from 'pixelmill/settings/setting'
import { BATCH_ERROR_CODES } from 'pixelmill-server/contract/batch-status'
import { type ErrorName, errors } from 'pixelmill-server/contract/errors'
import { cloudinaryParameters } from 'pixelmill-server/delivery/cloudinary/read-component'
import { imgixParameters } from 'pixelmill-server/delivery/imgix/read-parameters'
import { openapi } from 'pixelmill-server/http/openapi'
import { errorExample } from 'pixelmill-server/http/openapi-errors'
import { routes } from 'pixelmill-server/routes'
import { settingGroups, settings } from 'pixelmill-server/settings/index'
import { accountsPage } from './accounts-page.ts'
import { cliPage } from './cli-page.ts'
import { dialectPage } from './dialect-page.ts'
import { formatsPage } from './formats-page.ts'
import { grafanaDashboard } from './grafana-dashboard.ts'
import { imageLimitsModule, imageOperationsModule } from './image-operations.ts'
import { libraryTypes } from './library-types.ts'
import { securityPage } from './security-page.ts'
import { stepFormsModule } from './step-forms.ts'
import { stepsPage } from './steps-page.ts'
import { toolFormsModule } from './tool-forms.ts'

/** The generated files, by path. `npm run docs` writes them; test/docs checks that they are current. */
export const generatedPages = (): Readonly<Record<string, string>> => ({
  'docs/openapi.json': `${JSON.stringify(openapi(routes), null, 2)}\n`,
  'docs/errors.md': errorsPage(),
  'docs/configuration.md': configurationPage(),
  'docs/security.md': securityPage(),
  'docs/accounts.md': accountsPage(),
  'docs/cli.md': cliPage(),
  'docs/steps.md': stepsPage(GENERATED),
  'docs/formats.md': formatsPage(GENERATED),
  'docs/from-imgix.md': dialectPage('docs/from-imgix.md', imgixParameters),
  'docs/from-cloudinary.md': dialectPage('docs/from-cloudinary.md', cloudinaryParameters),
  'monitoring/grafana-dashboard.json': grafanaDashboard(),
  '.env.example': environmentExample(),
  'packages/engine/src/library/types.ts': libraryTypes(GENERATED),
  'apps/dashboard/src/api/image-operations.ts': imageOperationsModule(),
  'apps/dashboard/src/api/image-limits.ts': imageLimitsModule(),
  'apps/dashboard/src/api/tool-forms.ts': toolFormsModule(),
  'apps/dashboard/src/api/step-forms.ts': stepFormsModule(),
})

const GENERATED = 'Made by `npm run docs` from the code; edits here are lost.'

function errorsPage(): string {
  const byStatus = [...Map.groupBy(Object.entries(errors), ([, { status }]) => status)].toSorted(([one], [other]) => one - other)
  const sections = byStatus.map(
    ([status, rows]) => `## ${status}\n\n${rows.map(([name, { when }]) => `- \`${name}\`: ${when}`).join('\n')}`,
  )
  const warningRows = Object.entries(warnings).map(([name, text]) => `- \`${name}\`: ${text}`)
  const example = JSON.stringify(errorExample('invalid_params' satisfies ErrorName), null, 2)
  return `# Errors

${GENERATED}

Every error is JSON. Branch on \`statusMessage\`: it never changes. \`message\` says what to do. A call that fails is not charged. The log has the details of 5xx under the request id. What belongs to another account is answered like what does not exist.

\`\`\`json
${example}
\`\`\`

${sections.join('\n\n')}

${BATCH_ERROR_CODES}

## Warnings

If an image answer does not contain all of the file, the header \`X-Image-Warnings\` lists identifiers, separated by commas.

${warningRows.join('\n')}
`
}

const rowsOfSettings = (): readonly (readonly [string, Setting])[] => Object.entries(settings)

function configurationPage(): string {
  const sections = settingGroups.map(({ title, rows }) => {
    const lines = Object.entries<Setting>(rows).map(
      ([name, { otherwise, description, secret }]) => `- \`${name}\` (${otherwise}): ${description}${secret ? ' Secret.' : ''}`,
    )
    return `## ${title}\n\n${lines.join('\n')}`
  })
  return `# Configuration

${GENERATED}

Settings are environment variables, or lines \`NAME=value\` of a file named \`.env\` in the folder where the server starts;
variables take precedence. With an invalid setting the server does not start and says in one line what it must be. In brackets: the default.

${sections.join('\n\n')}
`
}

function environmentExample(): string {
  const blocks = rowsOfSettings().map(
    ([name, { otherwise, description }]) => `# ${description}\n# Default: ${otherwise}\n#${name}=\n`,
  )
  return `# Copy to .env and remove the # before what you set. ${GENERATED.replaceAll('`', '')}\n\n${blocks.join('\n')}`
}
