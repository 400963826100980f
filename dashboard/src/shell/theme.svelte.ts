export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const CHOICE = 'theme'

function remembered(): Theme {
  try {
    return themes.find((theme) => theme === localStorage.getItem(CHOICE)) ?? 'system'
  } catch {
    return 'system'
  }
}

class ThemeChoice {
  current = $state<Theme>(remembered())

  choose(theme: Theme): void {
    this.current = theme
    try {
      localStorage.setItem(CHOICE, theme)
    } catch {
      // Without storage the choice lasts as long as the page.
    }
    applyTheme()
  }
}

export const theme = new ThemeChoice()

/** `system` says nothing: then the style sheet follows the reader's system. */
export function applyTheme(): void {
  if (theme.current === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme.current
}
