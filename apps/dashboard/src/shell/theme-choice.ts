export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

/** The key in the local storage, shared by the dashboard and the documentation. */
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

/** `system` sets nothing: then the style sheet follows the system. */
export function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
