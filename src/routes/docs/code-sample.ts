import { curlLines } from '../../../dashboard/src/lines/curl.ts'
import { typescriptLines } from '../../../dashboard/src/lines/typescript.ts'
import type { Route } from '../../http/route.ts'
import { exampleCall } from './example-call.ts'
import { type Html, html } from './html.ts'

const languages = [
  { name: 'curl', label: 'curl', lines: curlLines },
  { name: 'typescript', label: 'TypeScript', lines: typescriptLines },
] as const

/** Code of one language; a script of the page adds the button that copies it. */
export const codeBlock = (language: string, title: string, of: string, code: string): Html => html`
<figure class="code" data-language="${language}"><figcaption><span class="title">${title}</span></figcaption>
<pre tabindex="0" role="region" aria-label="${title} for ${of}"><code>${code}</code></pre></figure>`

/** The lines of an endpoint in every language, one under the other; with the script of the page the reader chooses. */
export function codeSample(route: Route): Html {
  const call = exampleCall(route)
  return html`<div class="languages">${languages.map(({ name, label, lines }) => codeBlock(name, label, route.name, lines(call)))}</div>`
}
