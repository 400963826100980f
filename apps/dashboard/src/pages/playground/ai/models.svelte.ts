import { type Answer, api } from '../../../api/client.ts'
import { type Resource, resource } from '../../../api/resource.svelte.ts'
import { plansWithAi } from '../../../api/tool-forms.ts'
import { session } from '../../../session/session.svelte.ts'

/** The requirement of a tool: a model with vision; a plan with AI or an own model; a plan with AI. */
export type Needs = 'model' | 'planOrModel' | 'plan'

type Known = Answer<'/api/user/ai', 'get'>
export type Whose = 'service' | 'own'

/** How a tool may be used, the usual way first. */
function waysOf(needs: Needs, { platform, saved }: Known): readonly Whose[] {
  const plans: readonly string[] = plansWithAi
  const hasPlan = plans.includes(session.user?.plan ?? '')
  const byService = hasPlan && (needs !== 'model' || platform !== null)
  return [...(byService ? (['service'] as const) : []), ...(saved && needs !== 'plan' ? (['own'] as const) : [])]
}

/** The choice applies to all tools. */
let choice = $state<Whose>()

/** Which model answers. Created by a tool for its lifetime. */
export class Models {
  readonly access: Resource<Known> = resource((signal) => api.get('/api/user/ai', { signal }))
  readonly #needs: Needs
  readonly ways = $derived.by(() => (this.access.value ? waysOf(this.#needs, this.access.value) : []))
  readonly whose = $derived(choice && this.ways.includes(choice) ? choice : this.ways[0])

  constructor(needs: Needs) {
    this.#needs = needs
  }

  choose(whose: Whose): void {
    choice = whose
  }

  /** The request's reference to the model: the saved one by its address, or nothing for the service's own. */
  provider() {
    const ownModel = this.whose === 'own' ? this.access.value?.saved : undefined
    return ownModel ? { userProvider: { baseUrl: ownModel.baseUrl, model: ownModel.model, useAccountKey: true } } : {}
  }

  nameOf(whose: Whose): string {
    const { platform, saved } = this.access.value ?? {}
    return whose === 'own'
      ? `yours, ${saved?.model ?? ''}`
      : platform
        ? `the server’s, ${platform.model}`
        : 'none, it is measured'
  }
}
