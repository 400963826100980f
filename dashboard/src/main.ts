import { mount } from 'svelte'
import App from './App.svelte'
import { applyTheme } from './shell/theme.svelte.ts'
import './styles/tokens.css'
import './styles/base.css'

applyTheme()
mount(App, { target: document.body })
