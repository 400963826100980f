/** Changes of one thing that follow each other so closely are one step back: a drag, a word that is typed. */
const TOGETHER_MS = 700
const MOST = 200

/** A value, and what it was before. */
export class History<Value> {
  value = $state.raw() as Value
  #past = $state.raw<readonly Value[]>([])
  #future = $state.raw<readonly Value[]>([])
  #last: { readonly what: string; readonly at: number } | undefined

  readonly canUndo = $derived(this.#past.length > 0)
  readonly canRedo = $derived(this.#future.length > 0)

  constructor(value: Value) {
    this.value = value
  }

  /** @param what is changed; without it the change is a step back of its own */
  change(value: Value, what?: string): void {
    const now = performance.now()
    const continues = what !== undefined && this.#last?.what === what && now - this.#last.at < TOGETHER_MS
    if (!continues) this.#past = [...this.#past, this.value].slice(-MOST)
    this.#last = what === undefined ? undefined : { what, at: now }
    this.#future = []
    this.value = value
  }

  undo(): void {
    const previous = this.#past.at(-1)
    if (previous === undefined) return
    this.#past = this.#past.slice(0, -1)
    this.#future = [this.value, ...this.#future]
    this.#last = undefined
    this.value = previous
  }

  redo(): void {
    const [next] = this.#future
    if (next === undefined) return
    this.#future = this.#future.slice(1)
    this.#past = [...this.#past, this.value]
    this.#last = undefined
    this.value = next
  }

  /** Another value to begin with: nothing leads back to the one before. */
  begin(value: Value): void {
    this.#past = []
    this.#future = []
    this.#last = undefined
    this.value = value
  }
}
