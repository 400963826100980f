import type { DocumentationPart } from '@pixelmill/dashboard/web/documentation-part'
import { type ErrorName, errors } from '../contract/errors.ts'
import { templatePath } from '../http/openapi-request.ts'
import type { Route } from '../http/route.ts'
import { endpointName } from './endpoint-names.ts'
import { type Guide, pathOf } from './guide-files.ts'
import { searchedBy } from './guide-groups.ts'

/** What the search of the documentation and that of the dashboard read: the guides in parts, the endpoints and the errors. */
export const searchIndex = (guides: readonly Guide[], routes: readonly Route[]): readonly DocumentationPart[] => [
  ...guides.flatMap(partsOf),
  ...routes.map(({ name, method, path, summary, description = '' }) => ({
    href: `/docs#${name}`,
    page: 'Reference',
    heading: endpointName(name),
    text: withoutBackticks(`${method} ${templatePath(path)} ${summary} ${description}`).trim(),
  })),
  ...(Object.keys(errors) as ErrorName[]).map((name) => ({
    href: `/docs/errors#${name}`,
    page: 'Errors',
    heading: name,
    text: withoutBackticks(`${errors[name].when} ${errors[name].message}`),
  })),
]

/** Excerpts are plain text. */
const withoutBackticks = (text: string): string => text.replaceAll('`', '')

const partsOf = ({ name, title, introductionText, parts }: Guide): readonly DocumentationPart[] => [
  { href: pathOf(name), page: title, heading: '', text: introductionText, words: searchedBy[name] ?? '' },
  ...parts.map(({ id, heading, text }) => ({ href: `${pathOf(name)}#${id}`, page: title, heading, text })),
]
