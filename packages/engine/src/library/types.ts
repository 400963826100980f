// Made by `npm run docs` from the code; edits here are lost.

export interface Recipe {
  /** Done in this order, once, for all outputs. */
  readonly steps?: readonly (Step)[] | undefined
  readonly outputs?: readonly (Output)[] | undefined
}

export interface ConvertOptions {
  /** same keeps the format of the source. auto chooses by the header Accept, AVIF before JPEG XL before WebP, and else is the same as same. best has the fewest bytes at the same score among AVIF, WebP, JPEG and PNG, as far as Accept allows them. */
  readonly format?: "same" | "auto" | "best" | "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "jxl" | "qoi" | "ico" | undefined
  /** The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent. 1 to 100. */
  readonly quality?: number | undefined
  /** Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. 30 to 95. */
  readonly visualQuality?: number | undefined
  /** The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. 1 to 1000000000. */
  readonly maxBytes?: number | undefined
  /** How much CPU may be spent on fewer bytes: fast, balanced, or small, which takes up to fifteen times as long. Of WebP, AVIF, JPEG, PNG. */
  readonly effort?: "fast" | "balanced" | "small" | undefined
  /** none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too. */
  readonly metadata?: MetadataPolicy | undefined
  /** srgb converts the colours; keep leaves them as they are, with the ICC profile. */
  readonly icc?: IccPolicy | undefined
  /** Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it. */
  readonly hdr?: HdrPolicy | undefined
  /** Output width in pixels; alone, the aspect ratio is kept. 1 to 10000. */
  readonly width?: number | undefined
  /** Output height in pixels; alone, the aspect ratio is kept. 1 to 10000. */
  readonly height?: number | undefined
  /** How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio. */
  readonly fit?: Fit | undefined
  /** With cover: which part is kept. subject finds the most salient part, without a model. */
  readonly gravity?: Gravity | Point | undefined
  /** Convert to shades of grey. */
  readonly grayscale?: boolean | undefined
  /** Blur radius: the sigma of a Gaussian, in output pixels. 0.3 to 100. */
  readonly blur?: number | undefined
  /** Degrees clockwise. Except for multiples of 90, new corners are transparent, or white in JPEG. 0 to 360. */
  readonly rotate?: number | undefined
}

export interface OptimizeOptions {
  /** 1–100; at 100 no pixel changes. 1 to 100. */
  readonly quality?: number | undefined
  /** Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. 30 to 95. */
  readonly visualQuality?: number | undefined
  /** The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. 1 to 1000000000. */
  readonly maxBytes?: number | undefined
  /** none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too. */
  readonly metadata?: MetadataPolicy | undefined
  /** srgb converts the colours; keep leaves them as they are, with the ICC profile. */
  readonly icc?: IccPolicy | undefined
  /** Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it. */
  readonly hdr?: HdrPolicy | undefined
}

export interface SuggestCropsOptions {
  /** Names such as instagram-square; those of other platforms are in unknownPlatforms. */
  readonly platforms?: readonly (string)[] | undefined
  /** A ratio of your own; its crop is called custom. */
  readonly ratio?: {
    readonly width: number
    readonly height: number
  } | undefined
}

export interface SuggestedCrops {
  /** As displayed; crops are in its pixels. */
  readonly image: {
    readonly width: number
    readonly height: number
  }
  readonly crops: readonly ({
    readonly platform: string
    /** The size that the platform expects. */
    readonly target: {
      readonly width: number
      readonly height: number
    }
    /** The largest rectangle of the target's ratio that keeps most of the subject. */
    readonly crop: {
      readonly x: number
      readonly y: number
      readonly width: number
      readonly height: number
    }
  })[]
  readonly unknownPlatforms?: readonly (string)[] | undefined
}

export interface PictureFacts {
  readonly format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi" | "ico"
  /** 1 to 80000000. */
  readonly width: number
  /** 1 to 80000000. */
  readonly height: number
  readonly warnings: readonly (ImageWarning)[]
  /** -10000 to 100. */
  readonly score?: number | undefined
  readonly hdr?: HdrResult | undefined
  readonly contentCredentials?: ContentCredentials | undefined
  readonly reversible?: "jpeg" | undefined
  readonly keptSource?: boolean | undefined
}

export interface ImageInfo {
  readonly format?: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi" | "ico" | undefined
  readonly mime?: string | undefined
  /** In pixels, of one frame as displayed. 1 to 80000000. */
  readonly width?: number | undefined
  /** 1 to 80000000. */
  readonly height?: number | undefined
  /** Of EXIF; 1 is upright. Width and height are after it. 1 to 8. */
  readonly orientation?: number | undefined
  /** That the file has, whether or not all are decoded. 1 to 1000000. */
  readonly frames?: number | undefined
  /** Of all frames; null for a still image. */
  readonly durationMs?: number | null | undefined
  /** Bits a channel, or a number of the palette. 1 to 64. */
  readonly bitDepth?: number | undefined
  readonly colorSpace?: "RGB" | "grey" | "CMYK" | undefined
  /** The ICC profile; null without one. */
  readonly icc?: {
    readonly name: string | null
  } | null | undefined
  readonly alpha?: boolean | undefined
  /** A gain map, or pixels coded by PQ or HLG; null for a picture of usual range. */
  readonly hdr?: {
    readonly kind: "gainMap" | "pq" | "hlg"
  } | null | undefined
  /** Whether it has a C2PA manifest. */
  readonly contentCredentials?: boolean | undefined
  /** By the names of the EXIF standard. */
  readonly exif?: {
    /** Only where exif.gps is asked for; degrees, and metres above the sea. */
    readonly gps?: Place | undefined
    readonly [name: string]: Place | string | number | readonly (string | number)[] | undefined
  } | undefined
  /** Title, description, creator, credit, copyright and the like, of IPTC and XMP. */
  readonly iptc?: Readonly<Record<string, string | number | readonly (string | number)[]>> | undefined
  /** Whether it looks drawn or typeset rather than photographed. */
  readonly drawn?: boolean | undefined
  /** The most frequent colour of the palette; null where all is transparent. */
  readonly dominantColor?: string | null | undefined
  /** Up to five colours that stand for the picture, the most frequent first. */
  readonly palette?: readonly (string)[] | undefined
  /** ThumbHash in Base64, of the picture fitted into 100 × 100 pixels. */
  readonly thumbHash?: string | undefined
  /** BlurHash of 4 × 3 components, of the same pixels on white. */
  readonly blurHash?: string | undefined
  /** 64 bits that are alike for pictures that look alike: of an 8 × 8 DCT of 32 × 32 grey pixels. */
  readonly perceptualHash?: string | undefined
}

export type InfoField = "format" | "mime" | "width" | "height" | "orientation" | "frames" | "durationMs" | "bitDepth" | "colorSpace" | "icc" | "alpha" | "hdr" | "contentCredentials" | "exif" | "iptc" | "drawn" | "dominantColor" | "palette" | "thumbHash" | "blurHash" | "perceptualHash" | "exif.gps"

export type Format = "jpeg" | "png" | "webp" | "gif" | "bmp" | "tiff" | "heic" | "avif" | "jxl" | "qoi" | "ico"

export type ImageErrorName = "file_too_large" | "invalid_image_type" | "invalid_image" | "image_too_large" | "invalid_params" | "background_not_separable" | "cannot_fit" | "conversion_failed" | "internal_error" | "server_busy"

/** An object with one key, the name of the step. */
export interface Step {
  /** Extract a rectangular region of the picture as displayed: at x and y, or by gravity. */
  readonly crop?: CropStep | undefined
  /** Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel. */
  readonly resize?: ResizeStep | undefined
  /** Rotate clockwise. */
  readonly rotate?: RotateStep | undefined
  /** Mirror the picture top to bottom. */
  readonly flip?: NoParameters | undefined
  /** Mirror the picture left to right. */
  readonly flop?: NoParameters | undefined
  /** Remove a border of one colour, that of the top-left pixel. */
  readonly trim?: TrimStep | undefined
  /** Add a border. */
  readonly extend?: ExtendStep | undefined
  /** Blur the picture. */
  readonly blur?: BlurStep | undefined
  /** Sharpen the picture. */
  readonly sharpen?: SharpenStep | undefined
  /** Convert the picture to shades of grey. */
  readonly grayscale?: NoParameters | undefined
  /** Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour. */
  readonly tint?: TintStep | undefined
  /** Change brightness, saturation, hue or lightness, in the colour space CIE LCh. */
  readonly modulate?: ModulateStep | undefined
  /** Move levels away from middle grey, or towards it. */
  readonly contrast?: ContrastStep | undefined
  /** Brighten or darken the middle tones; black and white stay. */
  readonly gamma?: GammaStep | undefined
  /** Tone the picture as an old photograph, by the matrix of the CSS filter. */
  readonly sepia?: SepiaStep | undefined
  /** Change the saturation of dull colours more than that of vivid ones. */
  readonly vibrance?: VibranceStep | undefined
  /** Invert the colours. */
  readonly negate?: NoParameters | undefined
  /** Give each square block one colour, the mean of its pixels. */
  readonly pixelate?: PixelateStep | undefined
  /** Make the picture transparent to a degree. */
  readonly opacity?: OpacityStep | undefined
  /** Cut the corners off along a circle. */
  readonly roundCorners?: RoundCornersStep | undefined
  /** Draw a border inside the edges; the size stays. To add one outside, use extend. */
  readonly border?: BorderStep | undefined
  /** Show the picture on a colour, where it is transparent. */
  readonly background?: BackgroundStep | undefined
  /** Overlay an image or a text on every frame; of an animated watermark the first frame is used. */
  readonly watermark?: WatermarkStep | undefined
  /** Make the background transparent, by the built-in remover. */
  readonly removeBackground?: NoParameters | undefined
  /** Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it. */
  readonly enhance?: EnhanceStep | undefined
}

/** Extract a rectangular region of the picture as displayed: at x and y, or by gravity. */
export interface CropStep {
  /** Horizontal offset of the top-left corner, in pixels. 0 to 80000000. */
  readonly x?: number | undefined
  /** Vertical offset of the top-left corner, in pixels. 0 to 80000000. */
  readonly y?: number | undefined
  /** Region width in pixels. 1 to 80000000. */
  readonly width: number
  /** Region height in pixels. 1 to 80000000. */
  readonly height: number
  /** Which part is kept, where x and y are left out; by default center. */
  readonly gravity?: Gravity | Point | undefined
}

export type Gravity = "center" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest" | "subject"

export interface Point {
  /** 0 to 1. */
  readonly x: number
  /** 0 to 1. */
  readonly y: number
}

/** Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel. */
export interface ResizeStep {
  /** Width of the box in pixels. 1 to 10000. */
  readonly width?: number | undefined
  /** Height of the box in pixels. 1 to 10000. */
  readonly height?: number | undefined
  /** How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio. */
  readonly fit?: Fit | undefined
  /** With cover: which part is kept. subject finds the most salient part, without a model. */
  readonly gravity?: Gravity | Point | undefined
  /** false: a smaller picture keeps its size; with cover each of its sides is cut to that of the box. By default true. */
  readonly enlarge?: boolean | undefined
}

/** How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio. */
export type Fit = "cover" | "contain" | "fill" | "inside" | "outside"

/** Rotate clockwise. */
export interface RotateStep {
  /** Degrees clockwise. 0 to 360. */
  readonly angle: number
  /** What the corners become that an angle other than a multiple of 90 opens: by default transparent, in formats without transparency white. */
  readonly background?: string | undefined
}

/** Mirror the picture top to bottom. */
export type NoParameters = Readonly<Record<string, never>>

/** Remove a border of one colour, that of the top-left pixel. */
export interface TrimStep {
  /** How much a channel may differ from the colour, in levels of 255. 0 to 255. */
  readonly threshold?: number | undefined
}

/** Add a border. */
export interface ExtendStep {
  /** Pixels above. 0 to 10000. */
  readonly top?: number | undefined
  /** Pixels to the right. 0 to 10000. */
  readonly right?: number | undefined
  /** Pixels below. 0 to 10000. */
  readonly bottom?: number | undefined
  /** Pixels to the left. 0 to 10000. */
  readonly left?: number | undefined
  /** Its colour; in formats without transparency it is shown on white. By default "#ffffff00". */
  readonly background?: string | undefined
}

/** Blur the picture. */
export interface BlurStep {
  /** Sigma of the Gaussian, in pixels. 0.3 to 100. */
  readonly sigma: number
}

/** Sharpen the picture. */
export interface SharpenStep {
  /** Sigma of the mask, in pixels. 0.3 to 10. */
  readonly sigma?: number | undefined
  /** How strongly: 1 is usual. 0 to 10. */
  readonly amount?: number | undefined
}

/** Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour. */
export interface TintStep {
  /** What it is tinted with. */
  readonly color: string
}

/** Change brightness, saturation, hue or lightness, in the colour space CIE LCh. */
export interface ModulateStep {
  /** Multiplies the lightness: 1 changes nothing. 0 to 10. */
  readonly brightness?: number | undefined
  /** Multiplies the chroma: 0 gives shades of grey. 0 to 10. */
  readonly saturation?: number | undefined
  /** Degrees by which hues are turned. -360 to 360. */
  readonly hue?: number | undefined
  /** Added to the lightness, which is 0 to 100. -100 to 100. */
  readonly lightness?: number | undefined
}

/** Move levels away from middle grey, or towards it. */
export interface ContrastStep {
  /** Percent: 100 doubles the distance from middle grey, 0 changes nothing, -100 leaves grey alone. -100 to 100. */
  readonly amount: number
}

/** Brighten or darken the middle tones; black and white stay. */
export interface GammaStep {
  /** Levels are raised to the power 1/gamma: above 1 brightens, 1 changes nothing. 0.1 to 10. */
  readonly gamma: number
}

/** Tone the picture as an old photograph, by the matrix of the CSS filter. */
export interface SepiaStep {
  /** Percent: 0 changes nothing. 0 to 100. */
  readonly amount?: number | undefined
}

/** Change the saturation of dull colours more than that of vivid ones. */
export interface VibranceStep {
  /** Percent, of a colour near grey: 0 changes nothing. -100 to 100. */
  readonly amount: number
}

/** Give each square block one colour, the mean of its pixels. */
export interface PixelateStep {
  /** Side of a block in pixels; 1 changes nothing. 1 to 10000. */
  readonly size: number
}

/** Make the picture transparent to a degree. */
export interface OpacityStep {
  /** Multiplies the opacity; in formats without transparency the picture is shown on white. 0 to 100. */
  readonly percent: number
}

/** Cut the corners off along a circle. */
export interface RoundCornersStep {
  /** In pixels, in percent of the shorter side such as 20%, or max: half of the shorter side. */
  readonly radius: number | string
  /** What the corners become; in formats without transparency it is shown on white. By default "#ffffff00". */
  readonly background?: string | undefined
}

/** Draw a border inside the edges; the size stays. To add one outside, use extend. */
export interface BorderStep {
  /** In pixels. 1 to 10000. */
  readonly width: number
  /** Its colour. By default "#000000". */
  readonly color?: string | undefined
  /** Of its corners, as that of roundCorners; by default 0. */
  readonly radius?: number | string | undefined
}

/** Show the picture on a colour, where it is transparent. */
export interface BackgroundStep {
  /** What transparency becomes. */
  readonly color: string
}

/** Overlay an image or a text on every frame; of an animated watermark the first frame is used. */
export interface WatermarkStep {
  /** Name of the file part that has the watermark. */
  readonly image?: string | undefined
  /** In place of an image: a text, in the scripts that the font DejaVu has. */
  readonly text?: string | undefined
  /** Side or corner of the base, or its centre. */
  readonly position?: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right" | undefined
  /** Distance from the edges, as a fraction of the base’s shorter side. 0 to 0.5. */
  readonly margin?: number | undefined
  /** Percent; multiplies the transparency that the watermark has. 0 to 100. */
  readonly opacity?: number | undefined
  /** Watermark width as a fraction of the base width. 0.01 to 1. */
  readonly scale?: number | undefined
  /** What scale is a fraction of: by default the base’s width; with box the watermark also fits into that fraction of its height. */
  readonly scaleBy?: "width" | "box" | undefined
  /** Degrees clockwise. 0 to 360. */
  readonly angle?: number | undefined
  /** Repeats the watermark over all of the base. By default false. */
  readonly tile?: boolean | undefined
  /** Between repetitions, as a fraction of the watermark’s width. 0 to 5. */
  readonly spacing?: number | undefined
  /** How its colours are mixed with those below; by default over. */
  readonly blend?: "over" | "multiply" | "screen" | "overlay" | "darken" | "lighten" | "difference" | undefined
  /** Of a text. */
  readonly color?: string | undefined
  /** Of a text’s outline; without it there is none. */
  readonly stroke?: string | undefined
  /** Of a text; by default sans. */
  readonly font?: "sans" | "serif" | "mono" | undefined
  /** Of a text; by default normal. */
  readonly weight?: "normal" | "bold" | undefined
}

/** Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it. */
export interface EnhanceStep {
  /** auto neither enlarges nor changes what is good already; upscale doubles both sides. */
  readonly operation?: "upscale" | "denoise" | "deblur" | "auto" | undefined
}

export interface Output {
  /** Name of the file; unique in the recipe. By default "image". */
  readonly name?: string | undefined
  /** Further steps, after those that all outputs share. */
  readonly steps?: readonly (Step)[] | undefined
  /** same keeps the format of the source. auto chooses by the header Accept, AVIF before JPEG XL before WebP, and else is the same as same. best has the fewest bytes at the same score among AVIF, WebP, JPEG and PNG, as far as Accept allows them. */
  readonly format?: "same" | "auto" | "best" | "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "jxl" | "qoi" | "ico" | undefined
  /** The same number looks alike in every format. 1 to 100. */
  readonly quality?: number | undefined
  /** Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. 30 to 95. */
  readonly visualQuality?: number | undefined
  /** The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. 1 to 1000000000. */
  readonly maxBytes?: number | undefined
  /** How much CPU may be spent on fewer bytes: fast, balanced, or small, which takes up to fifteen times as long. Of WebP, AVIF, JPEG, PNG. */
  readonly effort?: "fast" | "balanced" | "small" | undefined
  /** none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too. */
  readonly metadata?: MetadataPolicy | undefined
  /** srgb converts the colours; keep leaves them as they are, with the ICC profile. */
  readonly icc?: IccPolicy | undefined
  /** Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it. */
  readonly hdr?: HdrPolicy | undefined
  /** Multiplies the sizes of the resizes among the further steps. 0.1 to 5. */
  readonly dpr?: number | undefined
}

/** none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too. */
export type MetadataPolicy = "none" | "copyright" | "all" | "all+gps"

/** srgb converts the colours; keep leaves them as they are, with the ICC profile. */
export type IccPolicy = "srgb" | "keep"

/** Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it. */
export type HdrPolicy = "keep" | "drop"

export type ImageWarning = "first_frame_only" | "first_page_only" | "later_frames_damaged" | "missing_end"

export type HdrResult = "kept" | "dropped"

export type ContentCredentials = "removed" | "signed"

/** Only where exif.gps is asked for; degrees, and metres above the sea. */
export interface Place {
  readonly latitude?: number | undefined
  readonly longitude?: number | undefined
  readonly altitude?: number | undefined
}
