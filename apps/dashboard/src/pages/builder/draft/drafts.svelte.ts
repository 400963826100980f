import { Draft } from './draft.svelte.ts'

/** Drafts by the names of presets; that without a name is the one of the tools. They are kept while the user visits other pages. */
const drafts = new Map<string | undefined, Draft>()
let owner: string | undefined

/** @param account its id: the next user of this browser does not see the drafts */
export function draftFor(presetName: string | undefined, account: string | undefined): Draft {
  if (owner !== account) drafts.clear()
  owner = account
  const knownDraft = drafts.get(presetName)
  if (knownDraft) return knownDraft
  // What it derives would end with the page that is open.
  $effect.root(() => {
    drafts.set(presetName, new Draft())
  })
  return drafts.get(presetName) as Draft
}

/** The next time it begins with the recipe that is kept. */
export function dropDraft(presetName: string | undefined): void {
  drafts.delete(presetName)
}

/** After a draft was saved under a name, it is that of the name. */
export function renameDraft(draft: Draft, presetName: string): void {
  for (const [name, each] of drafts) if (each === draft) drafts.delete(name)
  drafts.set(presetName, draft)
}
