import type { StepForm } from './image-operation.ts'

// Made by `npm run docs` from the table of steps; edits here are lost.

export const stepForms = {
  "crop": {
    "label": "Crop",
    "summary": "Extract a rectangular region of the picture as displayed: at x and y, or by gravity.",
    "hasPreview": true,
    "first": {
      "x": 10,
      "y": 5,
      "width": 60,
      "height": 40
    },
    "fields": {
      "x": {
        "kind": "integer",
        "min": 0,
        "max": 80000000,
        "description": "Horizontal offset of the top-left corner, in pixels."
      },
      "y": {
        "kind": "integer",
        "min": 0,
        "max": 80000000,
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
        "description": "Which part is kept, where x and y are left out; by default center."
      }
    }
  },
  "resize": {
    "label": "Resize",
    "summary": "Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel.",
    "hasPreview": true,
    "first": {
      "width": 60
    },
    "fields": {
      "width": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "description": "Width of the box in pixels."
      },
      "height": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "description": "Height of the box in pixels."
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
      "enlarge": {
        "kind": "boolean",
        "default": true,
        "description": "false: a smaller picture keeps its size; with cover each of its sides is cut to that of the box."
      }
    }
  },
  "rotate": {
    "label": "Rotate",
    "summary": "Rotate clockwise.",
    "hasPreview": true,
    "first": {
      "angle": 90
    },
    "fields": {
      "angle": {
        "kind": "number",
        "min": 0,
        "max": 360,
        "required": true,
        "description": "Degrees clockwise."
      },
      "background": {
        "kind": "text",
        "description": "What the corners become that an angle other than a multiple of 90 opens: by default transparent, in formats without transparency white."
      }
    }
  },
  "flip": {
    "label": "Flip",
    "summary": "Mirror the picture top to bottom.",
    "hasPreview": true,
    "fields": {}
  },
  "flop": {
    "label": "Flop",
    "summary": "Mirror the picture left to right.",
    "hasPreview": true,
    "fields": {}
  },
  "trim": {
    "label": "Trim",
    "summary": "Remove a border of one colour, that of the top-left pixel.",
    "hasPreview": true,
    "fields": {
      "threshold": {
        "kind": "number",
        "min": 0,
        "max": 255,
        "default": 10,
        "description": "How much a channel may differ from the colour, in levels of 255."
      }
    }
  },
  "extend": {
    "label": "Add a border",
    "summary": "Add a border.",
    "hasPreview": true,
    "fields": {
      "top": {
        "kind": "integer",
        "min": 0,
        "max": 10000,
        "default": 0,
        "description": "Pixels above."
      },
      "right": {
        "kind": "integer",
        "min": 0,
        "max": 10000,
        "default": 0,
        "description": "Pixels to the right."
      },
      "bottom": {
        "kind": "integer",
        "min": 0,
        "max": 10000,
        "default": 0,
        "description": "Pixels below."
      },
      "left": {
        "kind": "integer",
        "min": 0,
        "max": 10000,
        "default": 0,
        "description": "Pixels to the left."
      },
      "background": {
        "kind": "text",
        "default": "#ffffff00",
        "description": "Its colour; in formats without transparency it is shown on white."
      }
    }
  },
  "blur": {
    "label": "Blur",
    "summary": "Blur the picture.",
    "hasPreview": true,
    "first": {
      "sigma": 2
    },
    "fields": {
      "sigma": {
        "kind": "number",
        "min": 0.3,
        "max": 100,
        "required": true,
        "description": "Sigma of the Gaussian, in pixels."
      }
    }
  },
  "sharpen": {
    "label": "Sharpen",
    "summary": "Sharpen the picture.",
    "hasPreview": true,
    "fields": {
      "sigma": {
        "kind": "number",
        "min": 0.3,
        "max": 10,
        "default": 1,
        "description": "Sigma of the mask, in pixels."
      },
      "amount": {
        "kind": "number",
        "min": 0,
        "max": 10,
        "default": 1,
        "description": "How strongly: 1 is usual."
      }
    }
  },
  "grayscale": {
    "label": "Shades of grey",
    "summary": "Convert the picture to shades of grey.",
    "hasPreview": true,
    "fields": {}
  },
  "tint": {
    "label": "Tint",
    "summary": "Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour.",
    "hasPreview": true,
    "first": {
      "color": "#704214"
    },
    "fields": {
      "color": {
        "kind": "text",
        "required": true,
        "description": "What it is tinted with."
      }
    }
  },
  "modulate": {
    "label": "Brightness and colour",
    "summary": "Change brightness, saturation, hue or lightness, in the colour space CIE LCh.",
    "hasPreview": true,
    "first": {
      "saturation": 1.5
    },
    "fields": {
      "brightness": {
        "kind": "number",
        "min": 0,
        "max": 10,
        "description": "Multiplies the lightness: 1 changes nothing."
      },
      "saturation": {
        "kind": "number",
        "min": 0,
        "max": 10,
        "description": "Multiplies the chroma: 0 gives shades of grey."
      },
      "hue": {
        "kind": "integer",
        "min": -360,
        "max": 360,
        "description": "Degrees by which hues are turned."
      },
      "lightness": {
        "kind": "number",
        "min": -100,
        "max": 100,
        "description": "Added to the lightness, which is 0 to 100."
      }
    }
  },
  "contrast": {
    "label": "Contrast",
    "summary": "Move levels away from middle grey, or towards it.",
    "hasPreview": true,
    "first": {
      "amount": 40
    },
    "fields": {
      "amount": {
        "kind": "number",
        "min": -100,
        "max": 100,
        "required": true,
        "description": "Percent: 100 doubles the distance from middle grey, 0 changes nothing, -100 leaves grey alone."
      }
    }
  },
  "gamma": {
    "label": "Gamma",
    "summary": "Brighten or darken the middle tones; black and white stay.",
    "hasPreview": true,
    "first": {
      "gamma": 1.5
    },
    "fields": {
      "gamma": {
        "kind": "number",
        "min": 0.1,
        "max": 10,
        "required": true,
        "description": "Levels are raised to the power 1/gamma: above 1 brightens, 1 changes nothing."
      }
    }
  },
  "sepia": {
    "label": "Sepia",
    "summary": "Tone the picture as an old photograph, by the matrix of the CSS filter.",
    "hasPreview": true,
    "fields": {
      "amount": {
        "kind": "number",
        "min": 0,
        "max": 100,
        "default": 100,
        "description": "Percent: 0 changes nothing."
      }
    }
  },
  "vibrance": {
    "label": "Vibrance",
    "summary": "Change the saturation of dull colours more than that of vivid ones.",
    "hasPreview": true,
    "first": {
      "amount": 60
    },
    "fields": {
      "amount": {
        "kind": "number",
        "min": -100,
        "max": 100,
        "required": true,
        "description": "Percent, of a colour near grey: 0 changes nothing."
      }
    }
  },
  "negate": {
    "label": "Negative",
    "summary": "Invert the colours.",
    "hasPreview": true,
    "fields": {}
  },
  "pixelate": {
    "label": "Pixelate",
    "summary": "Give each square block one colour, the mean of its pixels.",
    "hasPreview": true,
    "first": {
      "size": 8
    },
    "fields": {
      "size": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "required": true,
        "description": "Side of a block in pixels; 1 changes nothing."
      }
    }
  },
  "opacity": {
    "label": "Opacity",
    "summary": "Make the picture transparent to a degree.",
    "hasPreview": true,
    "first": {
      "percent": 50
    },
    "fields": {
      "percent": {
        "kind": "number",
        "min": 0,
        "max": 100,
        "required": true,
        "description": "Multiplies the opacity; in formats without transparency the picture is shown on white."
      }
    }
  },
  "roundCorners": {
    "label": "Round corners",
    "summary": "Cut the corners off along a circle.",
    "hasPreview": true,
    "first": {
      "radius": 16
    },
    "fields": {
      "radius": {
        "kind": "text",
        "required": true,
        "description": "In pixels, in percent of the shorter side such as 20%, or max: half of the shorter side."
      },
      "background": {
        "kind": "text",
        "default": "#ffffff00",
        "description": "What the corners become; in formats without transparency it is shown on white."
      }
    }
  },
  "border": {
    "label": "Frame",
    "summary": "Draw a border inside the edges; the size stays. To add one outside, use extend.",
    "hasPreview": true,
    "first": {
      "width": 4
    },
    "fields": {
      "width": {
        "kind": "integer",
        "min": 1,
        "max": 10000,
        "required": true,
        "description": "In pixels."
      },
      "color": {
        "kind": "text",
        "default": "#000000",
        "description": "Its colour."
      },
      "radius": {
        "kind": "text",
        "description": "Of its corners, as that of roundCorners; by default 0."
      }
    }
  },
  "background": {
    "label": "Fill transparency",
    "summary": "Show the picture on a colour, where it is transparent.",
    "hasPreview": true,
    "first": {
      "color": "#ffffff"
    },
    "fields": {
      "color": {
        "kind": "text",
        "required": true,
        "description": "What transparency becomes."
      }
    }
  },
  "watermark": {
    "label": "Text",
    "summary": "Overlay an image or a text on every frame; of an animated watermark the first frame is used.",
    "hasPreview": true,
    "first": {
      "text": "© Your name"
    },
    "fields": {
      "image": {
        "kind": "text",
        "description": "Name of the file part that has the watermark."
      },
      "text": {
        "kind": "text",
        "description": "In place of an image: a text, in the scripts that the font DejaVu has."
      },
      "position": {
        "kind": "choice",
        "choices": [
          "top-left",
          "top",
          "top-right",
          "left",
          "center",
          "right",
          "bottom-left",
          "bottom",
          "bottom-right"
        ],
        "default": "bottom-right",
        "description": "Side or corner of the base, or its centre."
      },
      "margin": {
        "kind": "number",
        "min": 0,
        "max": 0.5,
        "default": 0,
        "description": "Distance from the edges, as a fraction of the base’s shorter side."
      },
      "opacity": {
        "kind": "number",
        "min": 0,
        "max": 100,
        "default": 50,
        "description": "Percent; multiplies the transparency that the watermark has."
      },
      "scale": {
        "kind": "number",
        "min": 0.01,
        "max": 1,
        "default": 0.25,
        "description": "Watermark width as a fraction of the base width."
      },
      "scaleBy": {
        "kind": "choice",
        "choices": [
          "width",
          "box"
        ],
        "description": "What scale is a fraction of: by default the base’s width; with box the watermark also fits into that fraction of its height."
      },
      "angle": {
        "kind": "number",
        "min": 0,
        "max": 360,
        "default": 0,
        "description": "Degrees clockwise."
      },
      "tile": {
        "kind": "boolean",
        "default": false,
        "description": "Repeats the watermark over all of the base."
      },
      "spacing": {
        "kind": "number",
        "min": 0,
        "max": 5,
        "default": 0.5,
        "description": "Between repetitions, as a fraction of the watermark’s width."
      },
      "blend": {
        "kind": "choice",
        "choices": [
          "over",
          "multiply",
          "screen",
          "overlay",
          "darken",
          "lighten",
          "difference"
        ],
        "description": "How its colours are mixed with those below; by default over."
      },
      "color": {
        "kind": "text",
        "description": "Of a text."
      },
      "stroke": {
        "kind": "text",
        "description": "Of a text’s outline; without it there is none."
      },
      "font": {
        "kind": "choice",
        "choices": [
          "sans",
          "serif",
          "mono"
        ],
        "description": "Of a text; by default sans."
      },
      "weight": {
        "kind": "choice",
        "choices": [
          "normal",
          "bold"
        ],
        "description": "Of a text; by default normal."
      }
    }
  },
  "removeBackground": {
    "label": "Remove background",
    "summary": "Make the background transparent, by the built-in remover.",
    "hasPreview": false,
    "fields": {}
  },
  "enhance": {
    "label": "Enhance",
    "summary": "Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it.",
    "hasPreview": false,
    "fields": {
      "operation": {
        "kind": "choice",
        "choices": [
          "upscale",
          "denoise",
          "deblur",
          "auto"
        ],
        "default": "auto",
        "description": "auto neither enlarges nor changes what is good already; upscale doubles both sides."
      }
    }
  }
} as const satisfies Record<string, StepForm>
