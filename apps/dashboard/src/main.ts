import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './shell/theme.svelte.ts'
import { shownNumber } from './shown/numbers.ts'
import '../web/tokens.css'
import '../web/base.css'

applyTheme()
// The text is only visible if this script does not load.
document.getElementById('not-started')?.remove()
mount(App, { target: document.body })
// Browsers read their rules of numbers when they are first needed: here while the server is asked who is signed in.
setTimeout(() => shownNumber(0))
