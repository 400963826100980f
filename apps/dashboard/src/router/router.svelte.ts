/** The current location: the address bar, as state. */
class Router {
  path = $state(location.pathname)
  search = $state.raw(new URLSearchParams(location.search))
  /** Whether the page was reached by a link inside, so that the focus moves to its heading. */
  moves = $state(0)
  /** Set by a page with unsaved work: returns false to stay on it. */
  guard: ((to: string) => boolean) | undefined

  readonly go = (to: string, { replace = false }: { readonly replace?: boolean } = {}): void => {
    if (!replace && this.guard?.(to) === false) return
    if (replace) history.replaceState(null, '', to)
    else history.pushState(null, '', to)
    this.#read()
    window.scrollTo(0, 0)
  }

  /** Changes the query, without leaving the page. */
  readonly setSearch = (values: Readonly<Record<string, string | undefined>>): void => {
    const next = new URLSearchParams(this.search)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) next.delete(name)
      else next.set(name, value)
    }
    history.replaceState(null, '', next.size > 0 ? `${this.path}?${next}` : this.path)
    this.search = next
  }

  #read(): void {
    if (this.path !== location.pathname) this.moves++
    this.path = location.pathname
    this.search = new URLSearchParams(location.search)
  }

  /** Follows links to pages without loading the document again; returns how to stop. */
  listen(isPage: (path: string) => boolean): () => void {
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a') : null
      if (
        !link ||
        event.defaultPrevented ||
        event.button !== 0 ||
        event.metaKey ||
        event.ctrlKey ||
        event.shiftKey ||
        event.altKey
      )
        return
      if (link.target || link.hasAttribute('download') || link.origin !== location.origin || !isPage(link.pathname)) return
      if (link.hash && link.pathname === location.pathname) return
      event.preventDefault()
      this.go(link.pathname + link.search)
    }
    const onPop = () => {
      const from = this.search.size > 0 ? `${this.path}?${this.search}` : this.path
      // The browser has left already: it is led back, and the way that it went is a new one.
      if (location.pathname !== this.path && this.guard?.(location.pathname + location.search) === false)
        history.pushState(null, '', from)
      else this.#read()
    }
    document.addEventListener('click', onClick)
    window.addEventListener('popstate', onPop)
    return () => {
      document.removeEventListener('click', onClick)
      window.removeEventListener('popstate', onPop)
    }
  }
}

export const router = new Router()
