/** A section is current when its top is in the upper third of the window, or above. */
const READ_ABOVE = 1 / 3

/** Marks the current section in the contents, and scrolls its link into view. */
export function followReading(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a[href^="#"]')].map((link) => [link.hash.slice(1), link]),
  )
  const sections = [...document.querySelectorAll<HTMLElement>('main section[id]')]
  let current: HTMLAnchorElement | undefined
  let isWaiting = false

  function mark(): void {
    isWaiting = false
    const line = window.innerHeight * READ_ABOVE
    const read = sections.filter((section) => !section.hidden && section.getBoundingClientRect().top < line).at(-1)
    const next = read && links.get(read.id)
    if (next === current) return
    current?.removeAttribute('aria-current')
    next?.setAttribute('aria-current', 'location')
    current = next
    keepInSight(next)
  }

  function onScroll(): void {
    if (isWaiting) return
    isWaiting = true
    requestAnimationFrame(mark)
  }

  document.addEventListener('scroll', onScroll, { passive: true })
  mark()
}

/** Scrolls the contents only: `scrollIntoView` would scroll the page as well. */
function keepInSight(link: HTMLElement | undefined): void {
  const group = link?.closest<HTMLElement>('.here')
  // Those of a guide stand beside its text where there is space.
  const frame = group && getComputedStyle(group).position === 'fixed' ? group : link?.closest<HTMLElement>('.contents')
  if (!link || !frame) return
  const inner = link.getBoundingClientRect()
  const outer = frame.getBoundingClientRect()
  if (inner.top < outer.top || inner.bottom > outer.bottom) frame.scrollTop += inner.top - outer.top - outer.height / 3
}
