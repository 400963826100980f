import { copyText } from '../ui/copy-text.ts'
import { ownKey, withKey } from './own-key.ts'

/** The key in the local storage. */
const CHOICE = 'language'
const COPIED_MS = 2_000

/** The languages of the samples with their labels: the server has written the samples of every endpoint in all of them, in one order. */
function languagesOf(group: Element): ReadonlyMap<string, string> {
  const figures = group.querySelectorAll<HTMLElement>('figure[data-language]')
  return new Map([...figures].map((figure) => [figure.dataset.language ?? '', figure.querySelector('.title')?.textContent ?? '']))
}

/** The remembered language, if it is one of these, or the first. */
function rememberedLanguage(languages: ReadonlyMap<string, string>): string {
  const [first = ''] = languages.keys()
  try {
    const language = localStorage.getItem(CHOICE) ?? first
    return languages.has(language) ? language : first
  } catch {
    return first
  }
}

/** Puts the origin of this page in place of the variable, without what only a variable needs around it. */
const withOrigin = (code: string): string =>
  code
    .replaceAll(/"\$PIXELMILL_URL([\w/.-]*)"/g, `${location.origin}$1`)
    .replaceAll(/f"\{os\.environ\['PIXELMILL_URL'\]\}([^"{]*)"/g, `"${location.origin}$1"`)
    .replaceAll('http://127.0.0.1:3000', location.origin)
    .replaceAll(/\$PIXELMILL_URL|\$\{process\.env\.PIXELMILL_URL\}|\{os\.environ\['PIXELMILL_URL'\]\}/g, location.origin)
    .replace(/^(?![\s\S]*os\.environ)import os\n\n/, '')

function choose(language: string): void {
  document.documentElement.dataset.chosen = language
  for (const figure of document.querySelectorAll<HTMLElement>('.languages figure'))
    figure.hidden = figure.dataset.language !== language
  for (const button of document.querySelectorAll<HTMLElement>('.choose button'))
    button.ariaPressed = String(button.dataset.language === language)
  try {
    localStorage.setItem(CHOICE, language)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function button(text: string, onclick: (element: HTMLButtonElement) => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = 'button'
  element.className = 'small'
  element.textContent = text
  element.addEventListener('click', () => onclick(element))
  return element
}

/** Changes all samples at once, and keeps the scroll position and the focus at the clicked one. */
function pick(language: string, choice: HTMLElement): void {
  const group = choice.closest('.languages')
  const before = group?.getBoundingClientRect().top ?? 0
  choose(language)
  window.scrollBy(0, (group?.getBoundingClientRect().top ?? 0) - before)
  group?.querySelector<HTMLElement>(`figure[data-language=${language}] button[data-language=${language}]`)?.focus()
}

function chooser(languages: ReadonlyMap<string, string>, of: string): HTMLElement {
  const choices = document.createElement('div')
  choices.className = 'choose'
  choices.role = 'group'
  choices.ariaLabel = `Language of ${of}`
  for (const [language, label] of languages) {
    const choice = button(label, (element) => pick(language, element))
    choice.dataset.language = language
    choices.append(choice)
  }
  return choices
}

function copyButton(code: Element, what: string): HTMLButtonElement {
  const element = button('Copy', async () => {
    element.textContent = (await copyText(code.textContent ?? '')) ? 'Copied' : 'Select and copy'
    setTimeout(() => (element.textContent = 'Copy'), COPIED_MS)
  })
  element.ariaLabel = `Copy ${what}`
  // Screen readers announce the changed text.
  element.ariaLive = 'polite'
  return element
}

/** The samples as the server wrote them. */
const texts = new Map<Element, string>()

/** Puts the origin of this page and, where there is one, the reader's key into all samples. */
export function fillCode(): void {
  const key = ownKey()
  for (const [code, text] of texts) code.textContent = withOrigin(key === undefined ? text : withKey(text, key))
}

/** Shows samples in one language at a time, with the origin of this page, and adds copy buttons. */
export function dressCode(): void {
  // Read before the titles give way to the buttons.
  const group = document.querySelector('.languages')
  const languages = group ? languagesOf(group) : new Map<string, string>()
  for (const figure of document.querySelectorAll<HTMLElement>('figure.code')) {
    const head = figure.querySelector('figcaption')
    const pre = figure.querySelector('pre')
    const code = figure.querySelector('code')
    if (!head || !pre || !code) continue
    texts.set(code, code.textContent ?? '')
    const label = pre.ariaLabel ?? 'the lines'
    if (figure.closest('.languages')) head.querySelector('.title')?.replaceWith(chooser(languages, label))
    head.append(copyButton(code, label))
  }
  fillCode()
  if (group) choose(rememberedLanguage(languages))
}
