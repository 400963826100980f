import { formatAliases, writtenFormats } from '@pixelmill/codecs/image-formats'
import { isGiven, type OptionRow, type Refuse, single, truth, whole } from '../option.ts'

/** As our formats are called. */
export const nameOf = (format: string): string => formatAliases.get(format) ?? format

/** An option that only the operator's limits answer. */
const securityOption = (does: string, ...names: OptionRow['names']): OptionRow => ({
  names,
  does,
  read(_args, refuse) {
    throw refuse('Is refused: limits are those of the server, as in imgproxy without IMGPROXY_ALLOW_SECURITY_OPTIONS.')
  },
})

function fileNameOf([name = '', isEncoded, ...more]: readonly string[], refuse: Refuse): string | undefined {
  if (more.length > 0) throw refuse('Has at most two arguments.')
  if (name === '') return undefined
  if (truth(isEncoded)) return Buffer.from(name, 'base64url').toString()
  try {
    return decodeURIComponent(name)
  } catch {
    throw refuse('Must be percent-encoded UTF-8.')
  }
}

/** The file, and how it is sent. */
export const fileOptions: readonly OptionRow[] = [
  {
    names: ['strip_metadata', 'sm'],
    does: '0 keeps [all](metadata.md) but places.',
    read: ([text]) => ({ stripsMetadata: truth(text) }),
  },
  {
    names: ['keep_copyright', 'kcr'],
    does: '0 keeps nothing.',
    read: ([text]) => ({ keepsCopyright: truth(text) }),
  },
  {
    names: ['strip_color_profile', 'scp'],
    does: '0 keeps the colours and the profile.',
    read: ([text]) => ({ stripsProfile: truth(text) }),
  },
  {
    names: ['preserve_hdr', 'ph'],
    does: '0 removes a gain map.',
    read: ([text]) => ({ keepsHdr: truth(text) }),
  },
  {
    names: ['enforce_thumbnail', 'eth'],
    does: 'No effect: the picture itself is used.',
    read: () => ({}),
  },
  {
    names: ['quality', 'q'],
    does: '1–100; 0 is the default.',
    read: (args, refuse) => ({ quality: whole(single(args, refuse), refuse, 0, 100) }),
  },
  {
    names: ['format_quality', 'fq'],
    does: '`format:quality`, any number of them.',
    read(args, refuse, { formatQuality }) {
      if (args.length % 2 !== 0) throw refuse('Must be formats with a number each.')
      const pairs = args.flatMap((format, at) =>
        at % 2 === 0 ? [[nameOf(format), whole(args[at + 1], refuse, 0, 100)] as const] : [],
      )
      return { formatQuality: { ...formatQuality, ...Object.fromEntries(pairs) } }
    },
  },
  {
    names: ['max_bytes', 'mb'],
    does: 'JPEG, WebP, AVIF, PNG, JPEG XL; else `cannot_fit`.',
    read: (args, refuse) => ({ maxBytes: whole(single(args, refuse), refuse) }),
  },
  {
    names: ['format', 'f', 'ext'],
    does: `Or the extension: ${writtenFormats.map((name) => `\`${name}\``).join(', ')}, \`jpg\`, \`tif\`.`,
    read: (args, refuse) => ({ format: single(args, refuse) }),
  },
  {
    names: ['skip_processing', 'skp'],
    does: 'Formats that are sent as they are.',
    read: (args, _refuse, { skips }) => ({ skips: [...skips, ...args.map(nameOf)] }),
  },
  {
    names: ['raw'],
    does: 'The original, if it is an image.',
    read: ([text]) => ({ raw: truth(text) }),
  },
  {
    names: ['cachebuster', 'cb'],
    does: 'A new value is a new image.',
    read: ([text]) => ({ buster: isGiven(text) ? text : undefined }),
  },
  {
    names: ['expires', 'exp'],
    does: 'Afterwards 403 `invalid_signature`.',
    read: (args, refuse) => ({ expires: whole(single(args, refuse), refuse) || undefined }),
  },
  {
    names: ['filename', 'fn'],
    does: 'Percent-encoded, or base64url before `:1`.',
    read: (args, refuse) => ({ fileName: fileNameOf(args, refuse) }),
  },
  {
    names: ['return_attachment', 'att'],
    does: '1 lets browsers save it.',
    read: ([text]) => ({ isAttachment: truth(text) }),
  },
  securityOption('Refused, as by imgproxy without `IMGPROXY_ALLOW_SECURITY_OPTIONS`.', 'max_src_resolution', 'msr'),
  securityOption('The same.', 'max_src_file_size', 'msfs'),
  securityOption('The same.', 'max_animation_frames', 'maf'),
  securityOption('The same.', 'max_animation_frame_resolution', 'mafr'),
  securityOption('The same.', 'max_result_dimension', 'mrd'),
]
