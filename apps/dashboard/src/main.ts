import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './shell/theme.svelte.ts'
import '../web/tokens.css'
import '../web/base.css'

applyTheme()
// The text is only visible if this script does not load.
document.getElementById('not-started')?.remove()
mount(App, { target: document.body })
