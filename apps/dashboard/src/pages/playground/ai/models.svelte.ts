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
let chosen = $state<Whose>()

/** Which model answers. Created by a tool for its lifetime. */
export class Models {
  readonly known: Resource<Known> = resource((signal) => api.get('/api/user/ai', { signal }))
  readonly #needs: Needs
  readonly ways = $derived.by(() => (this.known.value ? waysOf(this.#needs, this.known.value) : []))
  readonly whose = $derived(chosen && this.ways.includes(chosen) ? chosen : this.ways[0])

  constructor(needs: Needs) {
    this.#needs = needs
  }

  choose(whose: Whose): void {
    chosen = whose
  }

  /** The request's reference to the model: the saved one by its address, or nothing for the service's own. */
  provider() {
    const saved = this.whose === 'own' ? this.known.value?.saved : undefined
    return saved ? { userProvider: { baseUrl: saved.baseUrl, model: saved.model, useAccountKey: true } } : {}
  }

  nameOf(whose: Whose): string {
    const { platform, saved } = this.known.value ?? {}
    return whose === 'own'
      ? `yours, ${saved?.model ?? ''}`
      : platform
        ? `the server’s, ${platform.model}`
        : 'none, it is measured'
  }
}
