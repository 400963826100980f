import { rememberedTheme, rememberTheme, showTheme, themes } from '../shell/theme-choice.ts'
import { dressCode } from './code.ts'
import { followReading } from './reading.ts'
import { makeSearchable } from './search.ts'

// Makes the documentation searchable and its code easy to take. The server writes it, and all of it can be read without this.

/** The switch of the dashboard, on radio buttons that are there already. */
function switchTheme(): void {
  const fieldset = document.querySelector<HTMLFieldSetElement>('.theme')
  if (!fieldset) return
  const chosen = rememberedTheme()
  for (const radio of fieldset.querySelectorAll('input')) {
    radio.checked = radio.value === chosen
    radio.addEventListener('change', () => {
      const theme = themes.find((each) => each === radio.value) ?? 'system'
      rememberTheme(theme)
      showTheme(theme)
    })
  }
  fieldset.hidden = false
}

/** The menu of a phone goes away when one of its links was followed. */
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
makeSearchable()
followReading()
