import { encoderQuality } from '../rendering.ts'

/** Debian and Ubuntu install the module there; a built-in module elsewhere is not detected. */
export const MODULE = '/usr/lib/nginx/modules/ngx_http_image_filter_module.so'

export interface Serving {
  readonly photographs: string
  readonly port: number
  readonly width: number
  /** The folder of its process id, log and temporary files. */
  readonly folder: string
}

/**
 * As the module's documentation shows it, with a worker for each core and no access log. Files are fetched by GET, there are no
 * uploads.
 * The buffer is raised from 1 MB, since nginx would refuse the larger photographs.
 */
export const nginxConfig = ({ photographs, port, width, folder }: Serving): string => `
load_module ${MODULE};
daemon off;
${process.geteuid?.() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${folder}/nginx.pid;
error_log ${folder}/error.log warn;
events {}
http {
  access_log off;
  types { image/jpeg jpg jpeg; }
${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((name) => `  ${name}_temp_path ${folder}/${name};`).join('\n')}
  server {
    listen 127.0.0.1:${port};
    root ${photographs};
    location / {
      image_filter resize ${width} -;
      image_filter_jpeg_quality ${encoderQuality({ format: 'jpeg' })};
      image_filter_buffer 64M;
    }
  }
}
`
