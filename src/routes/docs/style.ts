/** The look of the documentation: system fonts, one column for reading, light and dark as the reader's system is. */
export const style = `
:root { color-scheme: light dark; --ink: light-dark(#1b2330, #dfe5ee); --soft: light-dark(#576275, #99a5b8);
  --paper: light-dark(#ffffff, #12161d); --panel: light-dark(#f5f7fa, #1a202a); --line: light-dark(#e1e6ee, #2b3442);
  --accent: light-dark(#0b5bd3, #7fb2ff); --post: light-dark(#0a6b46, #6fdcae); }
* { box-sizing: border-box }
html { scroll-padding-top: 1.5rem }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.6 system-ui, sans-serif }
a { color: var(--accent) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 2px }
.page { display: grid; grid-template-columns: 15rem minmax(0, 52rem); gap: 4rem; max-width: 78rem; margin: 0 auto; padding: 0 2rem }
nav { position: sticky; top: 0; align-self: start; max-height: 100vh; overflow-y: auto; padding: 2.5rem 0 }
nav .name { font-size: 1.15rem; font-weight: 650; letter-spacing: -.01em; color: var(--ink); text-decoration: none }
nav h2 { margin: 1.6rem 0 .4rem; font-size: .75rem; letter-spacing: .06em; text-transform: uppercase; color: var(--soft) }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a { display: block; padding: .18rem 0; color: var(--ink); text-decoration: none; font-size: .92rem }
nav li a:hover { color: var(--accent) }
main { padding: 2.5rem 0 6rem }
h1 { margin: 0 0 .5rem; font-size: 2.1rem; line-height: 1.2; letter-spacing: -.02em }
.lead { margin: 0 0 2rem; font-size: 1.15rem; color: var(--soft) }
section { padding: 2.2rem 0; border-top: 1px solid var(--line) }
section h2 { margin: 0 0 .3rem; font-size: 1.35rem; letter-spacing: -.01em }
section h3 { margin: 1.8rem 0 .5rem; font-size: 1rem }
.call { font: .9rem/1.5 ui-monospace, monospace; margin: 0 0 1rem; overflow-wrap: anywhere }
.method { font-weight: 700; color: var(--post) }
code, pre { font-family: ui-monospace, monospace; font-size: .88em }
code { background: var(--panel); padding: .1em .35em; border-radius: 4px }
pre { margin: .8rem 0; padding: 1rem 1.2rem; overflow-x: auto; background: var(--panel); border: 1px solid var(--line);
  border-radius: 8px; line-height: 1.5 }
pre code { padding: 0; background: none }
.scroll { overflow-x: auto }
table { width: 100%; border-collapse: collapse; font-size: .93rem }
th, td { padding: .55rem 1rem .55rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line) }
thead th { font-size: .78rem; font-weight: 600; color: var(--soft) }
tbody th { font-weight: 400; white-space: nowrap }
.required { margin-left: .4rem; white-space: normal; font-size: .75rem; color: var(--soft) }
.range { color: var(--soft) }
.errors { display: flex; flex-wrap: wrap; gap: .3rem .9rem; padding: 0; list-style: none; font-size: .9rem }
@media (max-width: 54rem) { .page { display: block; padding: 0 1.2rem } nav { position: static; padding: 1.5rem 0 0 }
  nav ul { display: flex; flex-wrap: wrap; gap: 0 1.2rem } main { padding-top: 1.5rem } }
`
