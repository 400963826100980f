import { rememberedTheme, rememberTheme, showTheme, themes } from '../shell/theme-choice.ts'
import { dressCode, fillCode } from './code.ts'
import { offerOwnKey } from './key-form.ts'
import { followReading } from './reading.ts'
import { makeSearchable } from './search.ts'

// Adds search and copy buttons to the documentation. The server renders it, and it is complete without this script.

/** The theme switch, on radio buttons that the server rendered. */
function switchTheme(): void {
  const fieldset = document.querySelector<HTMLFieldSetElement>('.theme')
  if (!fieldset) return
  const ownTheme = rememberedTheme()
  for (const radio of fieldset.querySelectorAll('input')) {
    radio.checked = radio.value === ownTheme
    radio.addEventListener('change', () => {
      const theme = themes.find((each) => each === radio.value) ?? 'system'
      rememberTheme(theme)
      showTheme(theme)
    })
  }
  fieldset.hidden = false
}

/** Closes the menu of a phone when one of its links is followed. */
function closeMenu(): void {
  const menu = document.querySelector<HTMLElement>('#contents')
  menu?.addEventListener('click', (event) => {
    const isLink = event.target instanceof Element && event.target.closest('a') !== null
    if (isLink && menu.matches(':popover-open')) menu.hidePopover()
  })
}

showTheme(rememberedTheme())
switchTheme()
closeMenu()
dressCode()
offerOwnKey(fillCode)
makeSearchable()
followReading()
