import { copyText } from '../ui/copy-text.ts'

const languages = { curl: 'curl', typescript: 'TypeScript' } as const
type Language = keyof typeof languages

/** The key in the local storage. */
const CHOICE = 'language'
/** The placeholder of the server's origin in the samples, with quotation marks that are not needed around the real one. */
const PLAIN = /"\$PIXELMILL_URL([\w/.-]*)"/g
const ORIGIN = /\$PIXELMILL_URL|\$\{process\.env\.PIXELMILL_URL\}/g
const COPIED_MS = 2_000

function remembered(): Language {
  try {
    return localStorage.getItem(CHOICE) === 'typescript' ? 'typescript' : 'curl'
  } catch {
    return 'curl'
  }
}

function choose(language: Language): void {
  document.documentElement.dataset.chosen = language
  for (const button of document.querySelectorAll<HTMLElement>('.choose button'))
    button.ariaPressed = String(button.dataset.language === language)
  try {
    localStorage.setItem(CHOICE, language)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function button(text: string, onclick: (pressed: HTMLButtonElement) => void): HTMLButtonElement {
  const made = document.createElement('button')
  made.type = 'button'
  made.className = 'small'
  made.textContent = text
  made.addEventListener('click', () => onclick(made))
  return made
}

/** Changes all samples at once, and keeps the scroll position and the focus at the clicked one. */
function pick(language: Language, pressed: HTMLElement): void {
  const group = pressed.closest('.languages')
  const before = group?.getBoundingClientRect().top ?? 0
  choose(language)
  window.scrollBy(0, (group?.getBoundingClientRect().top ?? 0) - before)
  group?.querySelector<HTMLElement>(`figure[data-language=${language}] button[data-language=${language}]`)?.focus()
}

function chooser(of: string): HTMLElement {
  const made = document.createElement('div')
  made.className = 'choose'
  made.role = 'group'
  made.ariaLabel = `Language of ${of}`
  for (const language of Object.keys(languages) as Language[]) {
    const choice = button(languages[language], (pressed) => pick(language, pressed))
    choice.dataset.language = language
    made.append(choice)
  }
  return made
}

function copyButton(code: Element, what: string): HTMLButtonElement {
  const made = button('Copy', async () => {
    made.textContent = (await copyText(code.textContent ?? '')) ? 'Copied' : 'Select and copy'
    setTimeout(() => (made.textContent = 'Copy'), COPIED_MS)
  })
  made.ariaLabel = `Copy ${what}`
  // Screen readers announce the changed text.
  made.ariaLive = 'polite'
  return made
}

/** Shows samples in one language at a time, with the origin of this page, and adds copy buttons. */
export function dressCode(): void {
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const [head, pre, code] = [figure.querySelector('figcaption'), figure.querySelector('pre'), figure.querySelector('code')]
    if (!head || !pre || !code) continue
    code.textContent = (code.textContent ?? '').replaceAll(PLAIN, `${location.origin}$1`).replaceAll(ORIGIN, location.origin)
    const label = pre.ariaLabel ?? 'the lines'
    if (figure.closest('.languages')) head.querySelector('.title')?.replaceWith(chooser(label))
    head.append(copyButton(code, label))
  }
  choose(remembered())
}
