import type { ImageOperation } from './image-operation.ts'

// Made by `npm run docs` from the OpenAPI document; edits here are lost.

/** The names of endpoints whose calls are listed, by path. */
export const endpointNames: Readonly<Record<string, string>> = {
  "/api/v1/convert": "Convert",
  "/api/v1/resize": "Resize",
  "/api/v1/crop": "Crop",
  "/api/v1/flip": "Flip",
  "/api/v1/flop": "Flop",
  "/api/v1/watermark": "Watermark",
  "/api/v1/optimize": "Optimize",
  "/api/v3/images": "Make images",
  "/api/v3/info": "Inspect",
  "/i/:source/*": "Deliver image",
  "/api/background-remove": "Remove background",
  "/api/v2/batch": "Start batch",
  "/v1/ai/alt-text": "AI: alt text",
  "/v1/ai/rename": "AI: rename",
  "/v1/ai/smart-crop": "AI: smart crop",
  "/v1/ai/enhance": "AI: enhance",
  "/v1/ai/recommend": "AI: recommend"
}

export const imageOperations = {
  "convert": {
    "summary": "Convert and compress an image.",
    "description": "Animated GIF and WebP stay animated in WebP; in other formats the first frame is used. Colours are converted to sRGB, EXIF orientation is applied, metadata is removed. Transparency becomes white in JPEG.",
    "stem": "converted",
    "files": [
      "image"
    ],
    "fields": {
      "format": {
        "kind": "choice",
        "choices": [
          "webp",
          "avif",
          "jpeg",
          "png",
          "jxl",
          "best"
        ],
        "default": "webp",
        "description": "Output format; jpg is taken as jpeg. best has the fewest bytes at the same score among these, as far as the header Accept allows them."
      },
      "quality": {
        "kind": "integer",
        "min": 1,
        "max": 100,
        "default": 75,
        "description": "The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent."
      },
      "visualQuality": {
        "kind": "number",
        "min": 30,
        "max": 95,
        "description": "Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL."
      },
      "maxBytes": {
        "kind": "integer",
        "min": 1,
        "max": 1000000000,
        "description": "The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL."
      },
      "effort": {
        "kind": "choice",
        "choices": [
          "fast",
          "balanced",
          "small"
        ],
        "default": "balanced",
        "description": "How much CPU may be spent on fewer bytes: fast, balanced, or small, which takes up to fifteen times as long. Of WebP, AVIF, JPEG, PNG."
      },
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      },
      "width": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "description": "Output width in pixels; alone, the aspect ratio is kept."
      },
      "height": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "description": "Output height in pixels; alone, the aspect ratio is kept."
      },
      "fit": {
        "kind": "choice",
        "choices": [
          "cover",
          "contain",
          "fill",
          "inside",
          "outside"
        ],
        "default": "inside",
        "description": "How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio."
      },
      "gravity": {
        "kind": "choice",
        "choices": [
          "center",
          "north",
          "northeast",
          "east",
          "southeast",
          "south",
          "southwest",
          "west",
          "northwest",
          "subject"
        ],
        "default": "center",
        "description": "With cover: which part is kept. subject finds the most salient part, without a model."
      },
      "grayscale": {
        "kind": "boolean",
        "default": false,
        "description": "Convert to shades of grey."
      },
      "blur": {
        "kind": "number",
        "min": 0.3,
        "max": 100,
        "description": "Blur radius: the sigma of a Gaussian, in output pixels."
      },
      "rotate": {
        "kind": "number",
        "min": 0,
        "max": 360,
        "default": 0,
        "description": "Degrees clockwise. Except for multiples of 90, new corners are transparent, or white in JPEG."
      }
    }
  },
  "resize": {
    "summary": "Resize an image, preserving its aspect ratio and format.",
    "description": "May also enlarge. Animated GIF and WebP stay animated.",
    "stem": "resized",
    "files": [
      "image"
    ],
    "fields": {
      "width": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "required": true,
        "description": "Target width in pixels."
      },
      "height": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "required": true,
        "description": "Target height in pixels."
      },
      "fit": {
        "kind": "choice",
        "choices": [
          "cover",
          "contain",
          "fill",
          "inside",
          "outside"
        ],
        "default": "inside",
        "description": "How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio."
      },
      "gravity": {
        "kind": "choice",
        "choices": [
          "center",
          "north",
          "northeast",
          "east",
          "southeast",
          "south",
          "southwest",
          "west",
          "northwest",
          "subject"
        ],
        "default": "center",
        "description": "With cover: which part is kept. subject finds the most salient part, without a model."
      },
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  },
  "crop": {
    "summary": "Extract a rectangular region.",
    "description": "Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept.",
    "stem": "cropped",
    "files": [
      "image"
    ],
    "fields": {
      "x": {
        "kind": "integer",
        "min": 0,
        "max": 80000000,
        "required": true,
        "description": "Horizontal offset of the top-left corner, in pixels."
      },
      "y": {
        "kind": "integer",
        "min": 0,
        "max": 80000000,
        "required": true,
        "description": "Vertical offset of the top-left corner, in pixels."
      },
      "width": {
        "kind": "integer",
        "min": 1,
        "max": 80000000,
        "required": true,
        "description": "Region width in pixels."
      },
      "height": {
        "kind": "integer",
        "min": 1,
        "max": 80000000,
        "required": true,
        "description": "Region height in pixels."
      },
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  },
  "flip": {
    "summary": "Mirror an image top to bottom.",
    "description": "Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept.",
    "stem": "flipped",
    "files": [
      "image"
    ],
    "fields": {
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  },
  "flop": {
    "summary": "Mirror an image left to right.",
    "description": "Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept.",
    "stem": "flopped",
    "files": [
      "image"
    ],
    "fields": {
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  },
  "watermark": {
    "summary": "Overlay a watermark image.",
    "description": "The watermark keeps its ratio and never exceeds the base. It is applied to every frame of an animation; an animated watermark contributes its first frame.",
    "stem": "watermarked",
    "files": [
      "image",
      "watermark"
    ],
    "fields": {
      "position": {
        "kind": "choice",
        "choices": [
          "top-left",
          "top-right",
          "bottom-left",
          "bottom-right",
          "center"
        ],
        "default": "bottom-right",
        "description": "Corner or centre of the base."
      },
      "opacity": {
        "kind": "number",
        "min": 0,
        "max": 100,
        "default": 100,
        "description": "Percent; multiplies the transparency that the watermark has."
      },
      "scale": {
        "kind": "number",
        "min": 0.01,
        "max": 1,
        "default": 0.2,
        "description": "Watermark width as a fraction of the base width."
      },
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  },
  "optimize": {
    "summary": "Re-encode to reduce size; the original format is preserved.",
    "description": "Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input.",
    "stem": "optimized",
    "files": [
      "image"
    ],
    "fields": {
      "quality": {
        "kind": "integer",
        "min": 1,
        "max": 100,
        "default": 75,
        "description": "1–100; at 100 no pixel changes."
      },
      "visualQuality": {
        "kind": "number",
        "min": 30,
        "max": 95,
        "description": "Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL."
      },
      "maxBytes": {
        "kind": "integer",
        "min": 1,
        "max": 1000000000,
        "description": "The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL."
      },
      "metadata": {
        "kind": "choice",
        "choices": [
          "none",
          "copyright",
          "all",
          "all+gps"
        ],
        "default": "none",
        "description": "none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too."
      },
      "icc": {
        "kind": "choice",
        "choices": [
          "srgb",
          "keep"
        ],
        "default": "srgb",
        "description": "srgb converts the colours; keep leaves them as they are, with the ICC profile."
      },
      "hdr": {
        "kind": "choice",
        "choices": [
          "keep",
          "drop"
        ],
        "default": "keep",
        "description": "Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it."
      }
    }
  }
} as const satisfies Record<string, ImageOperation>
