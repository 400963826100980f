import type { ToolFormShape } from './image-operation.ts'

// Made by `npm run docs` from the OpenAPI document; edits here are lost.

/** Bytes of a picture whose background is removed. */
export const MOST_BACKGROUND_BYTES = 10485760

/** Pixels of a copy that a preview is made from. */
export const MOST_PREVIEW_PIXELS = 500000

/** Whose plan has the AI of the service. */
export const plansWithAi = [
  "pro",
  "team",
  "enterprise"
] as const

/** What pictures are cropped for, in pixels. */
export const cropPlatforms = {
  "square": {
    "width": 1080,
    "height": 1080
  },
  "instagram-square": {
    "width": 1080,
    "height": 1080
  },
  "instagram-portrait": {
    "width": 1080,
    "height": 1350
  },
  "instagram-landscape": {
    "width": 1080,
    "height": 566
  },
  "instagram-grid": {
    "width": 1080,
    "height": 1440
  },
  "instagram-story": {
    "width": 1080,
    "height": 1920
  },
  "instagram-reel": {
    "width": 1080,
    "height": 1920
  },
  "twitter": {
    "width": 1600,
    "height": 900
  },
  "twitter-card": {
    "width": 1200,
    "height": 628
  },
  "twitter-header": {
    "width": 1500,
    "height": 500
  },
  "facebook": {
    "width": 1200,
    "height": 630
  },
  "facebook-square": {
    "width": 1080,
    "height": 1080
  },
  "facebook-cover": {
    "width": 1640,
    "height": 624
  },
  "facebook-event": {
    "width": 1920,
    "height": 1005
  },
  "facebook-story": {
    "width": 1080,
    "height": 1920
  },
  "youtube-thumbnail": {
    "width": 1280,
    "height": 720
  },
  "youtube-banner": {
    "width": 2560,
    "height": 1440
  },
  "linkedin": {
    "width": 1200,
    "height": 627
  },
  "linkedin-cover": {
    "width": 1584,
    "height": 396
  },
  "linkedin-company-cover": {
    "width": 1128,
    "height": 191
  },
  "pinterest": {
    "width": 1000,
    "height": 1500
  },
  "tiktok": {
    "width": 1080,
    "height": 1920
  },
  "threads": {
    "width": 1080,
    "height": 1350
  },
  "whatsapp-status": {
    "width": 1080,
    "height": 1920
  },
  "open-graph": {
    "width": 1200,
    "height": 630
  },
  "profile": {
    "width": 400,
    "height": 400
  }
} as const

export const defaultPlatforms = [
  "instagram-square",
  "twitter",
  "facebook",
  "youtube-thumbnail"
] as const

/** What can be asked about a picture. */
export const infoFields = [
  "format",
  "mime",
  "width",
  "height",
  "orientation",
  "frames",
  "durationMs",
  "bitDepth",
  "colorSpace",
  "icc",
  "alpha",
  "hdr",
  "contentCredentials",
  "exif",
  "iptc",
  "drawn",
  "dominantColor",
  "palette",
  "thumbHash",
  "blurHash",
  "perceptualHash",
  "exif.gps"
] as const

/** How many times as long as the other a side of a ratio of one's own may be. */
export const MOST_RATIO = 20

export const toolForms = {
  "background": {
    "path": "/api/background-remove",
    "summary": "Remove the background of an image.",
    "fields": {
      "format": {
        "kind": "choice",
        "choices": [
          "png",
          "webp"
        ],
        "default": "png",
        "description": "The format of the cut-out; both have transparency."
      }
    }
  },
  "enhance": {
    "path": "/v1/ai/enhance",
    "summary": "Enlarge, denoise or sharpen an image.",
    "fields": {
      "mode": {
        "kind": "choice",
        "choices": [
          "upscale",
          "denoise",
          "deblur",
          "auto"
        ],
        "default": "auto",
        "description": "The operation. auto removes noise and blur where there is much of it; upscale doubles width and height, or enlarges by the factor of the operator's model."
      },
      "intensity": {
        "kind": "choice",
        "choices": [
          "1",
          "2",
          "3"
        ],
        "numeric": true,
        "default": "2",
        "description": "1: light, 2: medium, 3: strong."
      },
      "returnPreview": {
        "kind": "boolean",
        "default": true,
        "description": "Whether the response contains the enhanced image."
      }
    }
  },
  "info": {
    "path": "/api/v3/info",
    "summary": "Describe an image, or up to 100 in a ZIP: size, format, colours, metadata, hashes.",
    "fields": {
      "imageUrl": {
        "kind": "text",
        "longest": 2048,
        "description": "Address of the image, in place of the file: the server fetches it in at most 15 s, with up to 3 redirects."
      }
    }
  },
  "alt-text": {
    "path": "/v1/ai/alt-text",
    "summary": "Write alternative texts for images.",
    "fields": {
      "language": {
        "kind": "choice",
        "choices": [
          "en",
          "zh",
          "es",
          "fr",
          "de",
          "ja",
          "ko",
          "pt",
          "it"
        ],
        "default": "en",
        "description": "Language of the texts, as ISO 639-1 code."
      },
      "style": {
        "kind": "choice",
        "choices": [
          "descriptive",
          "concise",
          "seo"
        ],
        "default": "descriptive",
        "description": "descriptive: full sentences; concise: one short phrase; seo: a sentence for search engines."
      }
    }
  },
  "rename": {
    "path": "/v1/ai/rename",
    "summary": "Suggest file names that describe images.",
    "fields": {
      "rules.prefix": {
        "kind": "text",
        "longest": 40,
        "description": "Words at the start of each name. Letters of other scripts are transliterated to a-z where possible."
      },
      "rules.includeSequence": {
        "kind": "boolean",
        "default": false,
        "description": "Whether names end with the number of their image in the request, from 01; failed images keep their numbers."
      },
      "rules.style": {
        "kind": "choice",
        "choices": [
          "kebab",
          "snake",
          "camel",
          "pascal",
          "title",
          "lower"
        ],
        "default": "kebab",
        "description": "red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also kebab-case, snake_case, camelCase, PascalCase, title case, lowercase."
      }
    }
  },
  "smart-crop": {
    "path": "/v1/ai/smart-crop",
    "summary": "Find crops for social platforms that keep the subject.",
    "fields": {
      "returnCroppedImage": {
        "kind": "boolean",
        "default": false,
        "description": "Whether the response contains the crops as images: in the image's format, or if browsers do not show that, as JPEG, or PNG with transparency."
      }
    }
  },
  "recommend": {
    "path": "/v1/ai/recommend",
    "summary": "Recommend format, quality and size for images.",
    "fields": {
      "useCase": {
        "kind": "choice",
        "choices": [
          "web",
          "ecommerce",
          "social-media",
          "print",
          "archive",
          "general"
        ],
        "default": "general",
        "description": "The use case, which determines formats, quality and maximum size."
      }
    }
  }
} as const satisfies Record<string, ToolFormShape>
