import type { Component } from 'svelte'
import type { IconName } from '../../web/icons.ts'
import { match } from '../router/match.ts'
import { type PagePath, paths } from './paths.ts'

/** The values of `:name` parts in the address, if the page's path has any. */
export interface PageProps {
  readonly values: Readonly<Record<string, string>>
}

/** One page, as data. Its file is loaded when it is first shown. */
export interface Page {
  readonly path: PagePath
  /** Title of the document, before the product name. */
  readonly title: string
  /** Who may see it: other users are redirected to the sign-in, or to the first page. */
  readonly access: 'signedOut' | 'signedIn' | 'admin'
  /** Its entry in the navigation, in this order. */
  readonly entry?: { readonly label: string; readonly icon: IconName; readonly group: Group }
  readonly load: () => Promise<{ readonly default: Component<PageProps> | Component<Record<string, never>> }>
}

export const groups = { tools: 'Tools', work: 'Work', account: 'Account', server: 'Server' } as const
export type Group = keyof typeof groups

const loadBuilder = () => import('./builder/Builder.svelte')

/** Every page. `/` leads to the first. */
export const pages: readonly Page[] = [
  {
    path: '/compress',
    title: 'Compress',
    access: 'signedIn',
    entry: { label: 'Compress', icon: 'compress', group: 'tools' },
    load: () => import('./compress/Compress.svelte'),
  },
  {
    path: '/playground',
    title: 'Playground',
    access: 'signedIn',
    load: () => import('./playground/Playground.svelte'),
  },
  {
    path: '/edit/resize',
    title: 'Resize & crop',
    access: 'signedIn',
    entry: { label: 'Resize & crop', icon: 'crop', group: 'tools' },
    load: loadBuilder,
  },
  {
    path: '/edit/watermark',
    title: 'Watermark',
    access: 'signedIn',
    entry: { label: 'Watermark', icon: 'stamp', group: 'tools' },
    load: loadBuilder,
  },
  { path: '/edit/new', title: 'Edit a picture', access: 'signedIn', load: loadBuilder },
  {
    path: '/background',
    title: 'Background',
    access: 'signedIn',
    entry: { label: 'Background', icon: 'cutout', group: 'tools' },
    load: () => import('./background/Background.svelte'),
  },
  {
    path: '/describe',
    title: 'Describe',
    access: 'signedIn',
    entry: { label: 'Describe', icon: 'words', group: 'tools' },
    load: () => import('./describe/Describe.svelte'),
  },
  {
    path: '/inspect',
    title: 'Inspect',
    access: 'signedIn',
    entry: { label: 'Inspect', icon: 'info', group: 'tools' },
    load: () => import('./inspect/Inspect.svelte'),
  },
  {
    path: '/batches',
    title: 'Batches',
    access: 'signedIn',
    entry: { label: 'Batches', icon: 'layers', group: 'work' },
    load: () => import('./batches/Batches.svelte'),
  },
  { path: '/batches/:id', title: 'Batch', access: 'signedIn', load: () => import('./batches/Batch.svelte') },
  {
    path: '/presets',
    title: 'Presets',
    access: 'signedIn',
    entry: { label: 'Presets', icon: 'copy', group: 'work' },
    load: () => import('./presets/Presets.svelte'),
  },
  { path: '/presets/:name', title: 'Preset', access: 'signedIn', load: loadBuilder },
  {
    path: '/sources',
    title: 'Sources',
    access: 'signedIn',
    entry: { label: 'Sources', icon: 'folder', group: 'work' },
    load: () => import('./sources/Sources.svelte'),
  },
  { path: '/sources/:name', title: 'Source', access: 'signedIn', load: () => import('./sources/SourceBrowser.svelte') },
  {
    path: '/keys',
    title: 'API keys',
    access: 'signedIn',
    entry: { label: 'API keys', icon: 'key', group: 'work' },
    load: () => import('./keys/Keys.svelte'),
  },
  {
    path: '/usage',
    title: 'Usage',
    access: 'signedIn',
    entry: { label: 'Usage', icon: 'bars', group: 'account' },
    load: () => import('./usage/Usage.svelte'),
  },
  {
    path: '/credits',
    title: 'Credits',
    access: 'signedIn',
    entry: { label: 'Credits', icon: 'coins', group: 'account' },
    load: () => import('./credits/Credits.svelte'),
  },
  {
    path: '/ai',
    title: 'AI model',
    access: 'signedIn',
    entry: { label: 'AI model', icon: 'sparkle', group: 'account' },
    load: () => import('./ai/AiKey.svelte'),
  },
  {
    path: '/webhooks',
    title: 'Webhooks',
    access: 'signedIn',
    entry: { label: 'Webhooks', icon: 'bell', group: 'account' },
    load: () => import('./webhooks/Webhooks.svelte'),
  },
  {
    path: '/account',
    title: 'Account',
    access: 'signedIn',
    entry: { label: 'Account', icon: 'person', group: 'account' },
    load: () => import('./account/Account.svelte'),
  },
  {
    path: '/admin',
    title: 'Administration',
    access: 'admin',
    entry: { label: 'Administration', icon: 'shield', group: 'server' },
    load: () => import('./admin/Admin.svelte'),
  },
  { path: '/admin/:section', title: 'Administration', access: 'admin', load: () => import('./admin/Admin.svelte') },
  { path: '/sign-in', title: 'Sign in', access: 'signedOut', load: () => import('./sign-in/SignIn.svelte') },
  { path: '/sign-up', title: 'Sign up', access: 'signedOut', load: () => import('./sign-up/SignUp.svelte') },
]

export const HOME = '/compress' satisfies PagePath

/** The page for an address, with the values of its `:name` parts. */
export function pageAt(path: string): ({ readonly page: Page } & PageProps) | undefined {
  for (const page of pages) {
    const values = match(page.path, path)
    if (values) return { page, values }
  }
  return undefined
}

export const isPage = (path: string): boolean => paths.some((pattern) => match(pattern, path) !== undefined)
