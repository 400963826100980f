import { type Guide, pathOf } from './guide-files.ts'
import { guideGroups, tasks } from './guide-groups.ts'
import { type Html, html } from './html.ts'

const cards = html`<ul class="tasks">${tasks.map(
  ({ title, about, guides: [first] }) =>
    html`<li><a href="${pathOf(first)}"><span class="task">${title}</span><span class="soft">${about}</span></a></li>`,
)}</ul>`

const list = (guides: readonly Guide[]): Html =>
  html`<div class="all-guides">${guideGroups(guides).map(
    ({ heading, guides: rows }) =>
      html`<div><h3>${heading}</h3><ul>${rows.map(({ name, title }) => html`<li><a href="${pathOf(name)}">${title}</a></li>`)}</ul></div>`,
  )}</div>`

/** Where to begin, by what the reader wants to do, and all guides. The script hides it while something is searched for. */
export const startOf = (guides: readonly Guide[]): Html => html`<section class="start" aria-labelledby="start-title">
<h2 id="start-title">What do you want to do?</h2>
${cards}
<details><summary>All guides <span class="count">${guides.length}</span></summary>${list(guides)}</details>
</section>`
