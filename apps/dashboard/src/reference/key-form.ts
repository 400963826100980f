import { keepKey, ownKey } from './own-key.ts'

const API_KEY = /^sk_[A-Za-z0-9]{48}$/

/** Offers to fill the reader's own key into the samples: typed, or made now by who is signed in. Nothing but this tab keeps it. */
export function offerOwnKey(onchange: () => void): void {
  const code = document.querySelector('figure.code')
  // Other pages have code without a key: the bodies of errors.
  const place = document.querySelector('.basics') ?? document.querySelector('main .prose')
  if (!code || !place) return
  const form = document.createElement('form')
  form.className = 'own-key'
  place.before(form)

  function show(message = ''): void {
    const note = document.createElement('p')
    note.role = 'status'
    note.textContent = message
    const key = ownKey()
    form.replaceChildren(...(key === undefined ? questionParts() : answerParts(key)), note)
  }

  function questionParts(): readonly HTMLElement[] {
    const field = document.createElement('input')
    field.className = 'control'
    field.type = 'password'
    field.name = 'key'
    field.placeholder = 'sk_…'
    field.autocomplete = 'off'
    field.spellcheck = false
    const label = document.createElement('label')
    label.append('Your API key in the code ', field)
    return [label, button('Fill it in', 'submit'), ...(isSignedIn() ? [button('Make a key', 'button', () => void make())] : [])]
  }

  function answerParts(key: string): readonly HTMLElement[] {
    const text = document.createElement('p')
    text.append(`The code has your key ${key.slice(0, 7)}…, in this tab only.`)
    return [text, button('Forget it', 'button', () => change(undefined))]
  }

  function change(key: string | undefined): void {
    keepKey(key)
    onchange()
    show()
    form.querySelector('button')?.focus()
  }

  async function make(): Promise<void> {
    try {
      const response = await fetch('/api/user/api-keys', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'Documentation' }),
      })
      if (!response.ok) return show('No key could be made: sign in to the dashboard first.')
      const { key } = (await response.json()) as { key: string }
      change(key)
    } catch {
      show('No key could be made: the server cannot be reached.')
    }
  }

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    const key = String(new FormData(form).get('key') ?? '').trim()
    if (API_KEY.test(key)) change(key)
    else show('A key is sk_ and 48 letters and digits.')
  })
  show()
}

/** As the dashboard remembers it; the cookie itself cannot be read. */
function isSignedIn(): boolean {
  try {
    return localStorage.getItem('signed-in') !== null
  } catch {
    return false
  }
}

function button(text: string, type: 'submit' | 'button', onclick?: () => void): HTMLButtonElement {
  const element = document.createElement('button')
  element.type = type
  element.className = 'button'
  element.textContent = text
  if (onclick) element.addEventListener('click', onclick)
  return element
}
