/** The queries of a panel: one, or one for each name in its legend. */
export interface PanelRow {
  readonly title: string
  /** Grafana's name of the unit. */
  readonly unit: 's' | 'bytes' | 'Bps' | 'reqps' | 'percentunit' | 'short' | 'dateTimeFromNow'
  readonly queries: Readonly<Record<string, string>>
  /** A single number instead of a graph. */
  readonly stat?: true
}

const quantiles = (metric: string, by = '', where = ''): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [0.5, 0.95, 0.99].map((quantile) => [
      `${quantile * 100} %${by && ` {{${by}}}`}`,
      `histogram_quantile(${quantile}, sum by (le${by && `, ${by}`}) (rate(pixelmill_${metric}_bucket${where}[$__rate_interval])))`,
    ]),
  )

const rate = (metric: string, by: string, where = ''): Readonly<Record<string, string>> => ({
  [`{{${by}}}`]: `sum by (${by}) (rate(pixelmill_${metric}${where}[$__rate_interval]))`,
})

const max = (metric: string): string => `max(pixelmill_${metric}{instance=~"$instance"})`

/** Panels of the dashboard, by row. */
export const dashboardRows: Readonly<Record<string, readonly PanelRow[]>> = {
  Traffic: [
    { title: 'Requests', unit: 'reqps', queries: rate('http_request_seconds_count', 'route', '{instance=~"$instance"}') },
    { title: 'Errors by identifier', unit: 'reqps', queries: rate('errors_total', 'error', '{instance=~"$instance"}') },
    {
      title: 'Duration of image operations',
      unit: 's',
      queries: quantiles('http_request_seconds', '', '{instance=~"$instance",route=~"/api/v1/.*"}'),
    },
    {
      title: 'Requests in flight',
      unit: 'short',
      queries: { '{{instance}}': 'pixelmill_http_requests_in_flight{instance=~"$instance"}' },
    },
    {
      title: 'Bytes of images',
      unit: 'Bps',
      queries: {
        in: 'sum(rate(pixelmill_image_input_bytes_total{instance=~"$instance"}[$__rate_interval]))',
        out: 'sum(rate(pixelmill_image_output_bytes_total{instance=~"$instance"}[$__rate_interval]))',
      },
    },
    {
      title: 'Open streams and downloads',
      unit: 'short',
      queries: {
        streams: 'sum(pixelmill_event_streams_open{instance=~"$instance"})',
        downloads: 'sum(pixelmill_downloads_open{instance=~"$instance"})',
      },
    },
  ],
  Delivery: [
    { title: 'Delivered images', unit: 'reqps', queries: rate('delivery_answers_total', 'outcome', '{instance=~"$instance"}') },
    { title: 'Bytes delivered', unit: 'Bps', queries: rate('delivery_bytes_total', 'outcome', '{instance=~"$instance"}') },
    {
      title: 'Originals asked for again',
      unit: 'reqps',
      queries: rate('delivery_revalidated_total', 'outcome', '{instance=~"$instance"}'),
    },
    {
      title: 'Cached',
      unit: 'bytes',
      queries: { folder: max('delivery_cache_bytes'), memory: 'sum(pixelmill_delivery_memory_bytes{instance=~"$instance"})' },
    },
    {
      title: 'Evicted',
      unit: 'reqps',
      queries: { images: 'sum(rate(pixelmill_delivery_evicted_total{instance=~"$instance"}[$__rate_interval]))' },
    },
  ],
  Saturation: [
    {
      title: 'Busy and ready renderers',
      unit: 'percentunit',
      queries: {
        '{{lane}}':
          'sum by (lane) (pixelmill_renderers_busy{instance=~"$instance"}) / sum by (lane) (pixelmill_renderers_ready{instance=~"$instance"})',
      },
    },
    {
      title: 'Images waiting for a renderer',
      unit: 'short',
      queries: { '{{lane}}': 'sum by (lane) (pixelmill_render_queue_length{instance=~"$instance"})' },
    },
    {
      title: 'Longest current wait',
      unit: 's',
      queries: { '{{lane}}': 'max by (lane) (pixelmill_render_queue_oldest_seconds{instance=~"$instance"})' },
    },
    { title: 'Queue time', unit: 's', queries: quantiles('render_wait_seconds', 'lane', '{instance=~"$instance"}') },
    {
      title: 'Refused as server_busy',
      unit: 'percentunit',
      queries: {
        'of all requests':
          'sum(rate(pixelmill_errors_total{error="server_busy",instance=~"$instance"}[$__rate_interval])) / sum(rate(pixelmill_http_request_seconds_count{instance=~"$instance"}[$__rate_interval]))',
      },
    },
  ],
  Renderers: [
    {
      title: 'Images by operation',
      unit: 'reqps',
      queries: rate('render_seconds_count', 'operation', '{instance=~"$instance"}'),
    },
    { title: 'Rendering time', unit: 's', queries: quantiles('render_seconds', 'lane', '{instance=~"$instance"}') },
    {
      title: 'Replaced, by reason',
      unit: 'reqps',
      queries: rate('renderer_restarts_total', 'reason', '{instance=~"$instance"}'),
    },
    {
      title: 'Longest current rendering time',
      unit: 's',
      queries: { '{{lane}}': 'max by (lane) (pixelmill_render_oldest_seconds{instance=~"$instance"})' },
    },
  ],
  Batches: [
    {
      title: 'Images of batches',
      unit: 'short',
      queries: { waiting: max('batch_images_waiting'), 'in progress': max('batch_images_at_work') },
    },
    { title: 'Finished images', unit: 'reqps', queries: rate('batch_images_total', 'state', '{instance=~"$instance"}') },
    {
      title: 'Age of the oldest waiting batch',
      unit: 's',
      queries: { oldest: max('batch_oldest_seconds'), 'since the last image': max('batch_idle_seconds') },
    },
    { title: 'Unfinished batches', unit: 'short', stat: true, queries: { batches: max('batches_unfinished') } },
  ],
  Webhooks: [
    { title: 'Waiting', unit: 'short', queries: { waiting: max('webhooks_waiting'), due: max('webhooks_due') } },
    { title: 'Overdue', unit: 's', queries: { late: max('webhook_late_seconds'), oldest: max('webhook_oldest_seconds') } },
    { title: 'Attempts', unit: 'reqps', queries: rate('webhook_attempts_total', 'outcome', '{instance=~"$instance"}') },
    { title: 'Duration of attempts', unit: 's', queries: quantiles('webhook_attempt_seconds', '', '{instance=~"$instance"}') },
  ],
  Money: [
    { title: 'Ledger mismatches', unit: 'short', stat: true, queries: { accounts: max('ledger_mismatches') } },
    {
      title: 'Last check of the ledger',
      unit: 'dateTimeFromNow',
      stat: true,
      queries: { 'last check': 'max(pixelmill_job_last_success_timestamp_seconds{task="check-ledger"}) * 1000' },
    },
    {
      title: 'Refused by quotas and limits',
      unit: 'reqps',
      queries: rate(
        'errors_total',
        'error',
        '{error=~"rate_limited|monthly_limit_exceeded|insufficient_credits|.*quota_exceeded|ai_daily_limit_exceeded",instance=~"$instance"}',
      ),
    },
    { title: 'Reserved calls', unit: 'short', queries: { open: max('reservations_open') } },
    {
      title: 'Statistics of calls',
      unit: 'short',
      queries: {
        'waiting {{instance}}': 'pixelmill_usage_events_waiting{instance=~"$instance"}',
        'lost {{instance}}': 'increase(pixelmill_usage_events_lost_total{instance=~"$instance"}[$__rate_interval])',
      },
    },
  ],
  Database: [
    {
      title: 'Database up',
      unit: 'short',
      stat: true,
      queries: { '{{instance}}': 'pixelmill_database_up{instance=~"$instance"}' },
    },
    {
      title: 'Connections',
      unit: 'short',
      queries: {
        'busy {{instance}}': 'pixelmill_database_connections_busy{instance=~"$instance"}',
        'waiting {{instance}}': 'pixelmill_database_waiting{instance=~"$instance"}',
      },
    },
    { title: 'Wait for a connection', unit: 's', queries: quantiles('database_wait_seconds', '', '{instance=~"$instance"}') },
    {
      title: 'Duration of statements and transactions',
      unit: 's',
      queries: quantiles('database_use_seconds', '', '{instance=~"$instance"}'),
    },
    {
      title: 'Failed connection requests',
      unit: 'reqps',
      queries: rate('database_connection_errors_total', 'instance', '{instance=~"$instance"}'),
    },
    {
      title: 'Waiting jobs',
      unit: 'short',
      queries: { '{{queue}}': 'max by (queue) (pixelmill_queue_jobs_waiting{instance=~"$instance"})' },
    },
  ],
  Storage: [
    { title: 'Operations', unit: 'reqps', queries: rate('blob_operation_seconds_count', 'operation', '{instance=~"$instance"}') },
    {
      title: 'Failed operations',
      unit: 'reqps',
      queries: rate('blob_operation_seconds_count', 'outcome', '{outcome=~"unavailable|full",instance=~"$instance"}'),
    },
    {
      title: 'Duration of operations',
      unit: 's',
      queries: quantiles('blob_operation_seconds', 'operation', '{instance=~"$instance"}'),
    },
    {
      title: 'Free disk space',
      unit: 'bytes',
      queries: {
        'free {{instance}}': 'pixelmill_disk_free_bytes{instance=~"$instance"}',
        'reserve {{instance}}': 'pixelmill_disk_reserve_bytes{instance=~"$instance"}',
      },
    },
  ],
  AI: [
    { title: 'Questions', unit: 'reqps', queries: rate('ai_question_seconds_count', 'outcome', '{instance=~"$instance"}') },
    {
      title: 'Duration of questions',
      unit: 's',
      queries: quantiles('ai_question_seconds', 'provider', '{instance=~"$instance"}'),
    },
    {
      title: 'Queued questions',
      unit: 'short',
      queries: { '{{provider}}': 'sum by (provider) (pixelmill_ai_questions_waiting{instance=~"$instance"})' },
    },
    { title: 'Tokens', unit: 'short', queries: rate('ai_tokens_total', 'direction', '{instance=~"$instance"}') },
    {
      title: 'Background removals',
      unit: 'reqps',
      queries: rate('background_removal_seconds_count', 'remover', '{instance=~"$instance"}'),
    },
    {
      title: 'Requests to other servers',
      unit: 'reqps',
      queries: rate('outbound_request_seconds_count', 'outcome', '{instance=~"$instance"}'),
    },
  ],
  Processes: [
    {
      title: 'Processes',
      unit: 'short',
      stat: true,
      queries: { '{{role}}': 'max by (role) (pixelmill_servers{instance=~"$instance"})' },
    },
    {
      title: 'Versions',
      unit: 'short',
      stat: true,
      queries: { '{{version}} {{role}}': 'count by (version, role) (pixelmill_build_info{instance=~"$instance"})' },
    },
    { title: 'CPU', unit: 'percentunit', queries: rate('process_cpu_seconds_total', 'instance', '{instance=~"$instance"}') },
    {
      title: 'Memory',
      unit: 'bytes',
      queries: { '{{instance}}': 'pixelmill_process_resident_memory_bytes{instance=~"$instance"}' },
    },
    {
      title: 'Event loop lag',
      unit: 's',
      queries: { '{{instance}}': 'pixelmill_nodejs_eventloop_lag_p99_seconds{instance=~"$instance"}' },
    },
    {
      title: 'Failed housekeeping jobs',
      unit: 'short',
      queries: {
        '{{exported_job}}':
          'sum by (exported_job) (increase(pixelmill_job_failures_total{instance=~"$instance"}[$__rate_interval]))',
      },
    },
    {
      title: 'Started',
      unit: 'dateTimeFromNow',
      stat: true,
      queries: { '{{instance}}': 'pixelmill_process_start_time_seconds{instance=~"$instance"} * 1000' },
    },
  ],
}
