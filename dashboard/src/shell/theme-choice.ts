export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** Where browsers keep the choice: the pages and the reference read the same. */
const CHOICE = 'theme'

export function rememberedTheme(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(CHOICE)) ?? 'system'
  } catch {
    return 'system'
  }
}

export function rememberTheme(theme: Theme): void {
  try {
    localStorage.setItem(CHOICE, theme)
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

/** `system` says nothing: then the style sheet follows the reader's system. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
