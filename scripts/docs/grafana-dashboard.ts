import { dashboardRows, type PanelRow } from './dashboard-panels.ts'

const DATA_SOURCE = { type: 'prometheus', uid: '$datasource' }

/** The width, of the 24 columns of Grafana's grid. */
const WIDTH = { stat: 6, timeseries: 8 } as const
const HEIGHT = 8

const kindOf = ({ stat }: PanelRow): keyof typeof WIDTH => (stat ? 'stat' : 'timeseries')

/** Panels side by side, continuing in the next line if they do not fit. */
function placePanels(panels: readonly PanelRow[], top: number) {
  let x = 0
  let y = top
  const places = panels.map((panel) => {
    const w = WIDTH[kindOf(panel)]
    if (x + w > 24) {
      x = 0
      y += HEIGHT
    }
    x += w
    return { panel, gridPos: { x: x - w, y, w, h: HEIGHT } }
  })
  return { places, bottom: y + HEIGHT }
}

const panelOf = (id: number, { panel, gridPos }: ReturnType<typeof placePanels>['places'][number]) => ({
  id,
  type: kindOf(panel),
  title: panel.title,
  datasource: DATA_SOURCE,
  gridPos,
  fieldConfig: { defaults: { unit: panel.unit, min: panel.stat ? undefined : 0 }, overrides: [] },
  options: panel.stat
    ? { reduceOptions: { calcs: ['lastNotNull'] }, colorMode: 'value' }
    : { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: Object.entries(panel.queries).map(([legendFormat, expr], at) => ({
    refId: String.fromCharCode(65 + at),
    datasource: DATA_SOURCE,
    expr,
    legendFormat,
    ...(panel.stat ? { instant: true } : { range: true }),
  })),
})

/** The dashboard in the format of Grafana 10 (schema 38), which later versions accept as well. */
export function grafanaDashboard(): string {
  let top = 0
  let id = 0
  const panels = Object.entries(dashboardRows).flatMap(([title, own]) => {
    const row = { id: ++id, type: 'row', title, collapsed: false, gridPos: { x: 0, y: top, w: 24, h: 1 }, panels: [] }
    const { places, bottom } = placePanels(own, top + 1)
    top = bottom
    return [row, ...places.map((place) => panelOf(++id, place))]
  })
  return `${JSON.stringify({ ...FRAME, panels }, null, 2)}\n`
}

const FRAME = {
  uid: 'pixelmill',
  title: 'Pixelmill',
  tags: ['pixelmill'],
  schemaVersion: 38,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  timezone: 'browser',
  graphTooltip: 1,
  annotations: { list: [] },
  templating: {
    list: [
      { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {}, hide: 0, refresh: 1 },
      {
        name: 'instance',
        label: 'Process',
        type: 'query',
        datasource: DATA_SOURCE,
        query: { query: 'label_values(pixelmill_build_info, instance)', refId: 'instance' },
        includeAll: true,
        multi: true,
        allValue: '.*',
        current: { text: 'All', value: '$__all' },
        refresh: 2,
        sort: 1,
        hide: 0,
      },
    ],
  },
}
