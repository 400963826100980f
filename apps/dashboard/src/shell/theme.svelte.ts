import { rememberedTheme, rememberTheme, showTheme, type Theme } from './theme-choice.ts'

class ThemeChoice {
  current = $state<Theme>(rememberedTheme())

  choose(theme: Theme): void {
    this.current = theme
    rememberTheme(theme)
    showTheme(theme)
  }
}

export const theme = new ThemeChoice()

export const applyTheme = (): void => showTheme(theme.current)
