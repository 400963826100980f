import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './shell/theme.svelte.ts'
import '../../src/web/tokens.css'
import '../../src/web/base.css'

applyTheme()
// Seen only where this script does not come.
document.getElementById('not-started')?.remove()
mount(App, { target: document.body })
