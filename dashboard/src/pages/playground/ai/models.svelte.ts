import { type Answer, api } from '../../../api/client.ts'
import { type Resource, resource } from '../../../api/resource.svelte.ts'
import { plansWithAi } from '../../../api/tool-forms.ts'
import { session } from '../../../session/session.svelte.ts'

/** What a tool cannot do without: a model that sees; a plan with AI, or a model of one's own; a plan with AI. */
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

/** What was chosen holds for all tools. */
let chosen = $state<Whose>()

/** Whose model answers. Made by a tool, for as long as it is shown. */
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

  /** What the request says of it: the saved model by its address, and nothing where the service's own is asked. */
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
