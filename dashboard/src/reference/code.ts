import { copyText } from '../ui/copy-text.ts'

const languages = { curl: 'curl', typescript: 'TypeScript' } as const
type Language = keyof typeof languages

/** Where browsers keep the choice. */
const CHOICE = 'language'
/** Where the server stands in lines that it wrote without knowing how it is reached; what needs no quotation marks then has none. */
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

/** All samples change at once: the one that was clicked stays where it is, and so does the focus. */
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
  // What it says when it was pressed is read out.
  made.ariaLive = 'polite'
  return made
}

/** Lines are shown in one language at a time, for the address that the page was read at, and copied by a button. */
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
