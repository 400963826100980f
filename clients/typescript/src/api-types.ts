// Made by `npm run docs` from the OpenAPI document; edits here are lost.

export type ClientOptions = {
    baseUrl: `${string}://${string}` | (string & {});
};

export type Webhooks = BatchCompletedWebhookRequest | BatchFailedWebhookRequest;

export type AiImageError = {
    /**
     * The error identifier, as if the whole request had failed.
     */
    code: 'invalid_image_type' | 'invalid_image' | 'image_too_large' | 'conversion_failed' | 'server_busy' | 'invalid_params' | 'ai_service_unavailable' | 'ai_provider_rate_limited' | 'ai_provider_error' | 'ai_provider_timeout';
    /**
     * A sentence for users.
     */
    message: string;
    /**
     * Only with ai_provider_error.
     */
    kind?: 'auth' | 'quota' | 'model_not_found' | 'no_vision' | 'refused' | 'bad_output' | 'network';
};

export type AiQuota = {
    limit: number;
    used: number;
    remaining: number;
    resetsAt: string;
};

export type BackgroundStep = {
    /**
     * What transparency becomes.
     */
    color: string;
};

export type Batch = {
    id: string;
    /**
     * The name given by its owner; absent if there is none.
     */
    name?: string;
    /**
     * queued and processing are in progress; completed and failed are final.
     */
    status: BatchStatus;
    /**
     * Absent with a recipe.
     */
    format?: 'webp' | 'avif' | 'jpeg' | 'png' | 'jxl';
    /**
     * Does not apply with visualQuality; absent with a recipe.
     */
    quality?: number;
    /**
     * As requested, with its defaults.
     */
    recipe?: Recipe;
    recipeId?: string;
    /**
     * As requested.
     */
    visualQuality?: number;
    /**
     * As requested.
     */
    maxBytes?: number;
    /**
     * Numbers of images, without other entries. done is succeeded plus failed.
     */
    progress: BatchProgress;
    createdAt: string;
    startedAt?: string;
    finishedAt?: string;
    /**
     * When the result expires: 24 hours after finishedAt.
     */
    expiresAt?: string;
    /**
     * The path of the result, while it is available.
     */
    resultUrl?: string;
    /**
     * Why the whole batch failed.
     */
    error?: BatchError;
};

export type BatchError = {
    /**
     * An error identifier, or stale: no progress for 30 minutes, and nothing was charged.
     */
    code: string;
    message: string;
};

export type BatchManifest = Array<{
    /**
     * The entry's path, with / between the segments.
     */
    source: string;
    /**
     * The path of the image in the result; null when there is none.
     */
    output: string | null;
    /**
     * With several outputs: which one this is.
     */
    outputName?: string;
    status: EntryStatus;
    /**
     * Unpacked.
     */
    inputBytes: number | null;
    outputBytes: number | null;
    /**
     * Of the output, in pixels.
     */
    width: number | null;
    /**
     * Of the output, in pixels.
     */
    height: number | null;
    /**
     * Only of an HDR source, with a gain map or coded by PQ or HLG.
     */
    hdr?: HdrResult;
    /**
     * Only of a source with a C2PA manifest: signed where the result has a new one.
     */
    contentCredentials?: ContentCredentials;
    /**
     * Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
     */
    reversible?: 'jpeg';
    /**
     * Only where not all of the file is in the result.
     */
    warnings?: Array<ImageWarning>;
    /**
     * Only if it failed: the error that the endpoint for single images would return.
     */
    error?: ItemError;
}>;

export type BatchProgress = {
    total: number;
    done: number;
    succeeded: number;
    failed: number;
    percent: number;
};

export type BatchStatus = 'queued' | 'processing' | 'completed' | 'failed';

export type BlurStep = {
    /**
     * Sigma of the Gaussian, in pixels.
     */
    sigma: number;
};

export type ContentCredentials = 'removed' | 'signed';

export type CropStep = {
    /**
     * Horizontal offset of the top-left corner, in pixels.
     */
    x?: number;
    /**
     * Vertical offset of the top-left corner, in pixels.
     */
    y?: number;
    /**
     * Region width in pixels.
     */
    width: number;
    /**
     * Region height in pixels.
     */
    height: number;
    /**
     * Which part is kept, where x and y are left out; by default center.
     */
    gravity?: Gravity | Point;
};

export type EnhanceStep = {
    /**
     * auto neither enlarges nor changes what is good already; upscale doubles both sides.
     */
    operation?: 'upscale' | 'denoise' | 'deblur' | 'auto';
};

export type EntryStatus = 'converted' | 'failed' | 'skipped';

export type Error = {
    /**
     * The HTTP status code.
     */
    statusCode: number;
    /**
     * The error identifier, for programs.
     */
    statusMessage: 'missing_form_data' | 'missing_image_file' | 'missing_watermark_file' | 'missing_archive_file' | 'file_too_large' | 'invalid_image_type' | 'invalid_image' | 'image_too_large' | 'invalid_archive' | 'archive_too_large' | 'archive_has_no_images' | 'invalid_params' | 'invalid_stripe_signature' | 'bad_request' | 'missing_or_invalid_api_key' | 'invalid_or_revoked_api_key' | 'api_access_not_available' | 'missing_or_invalid_login_token' | 'invalid_or_expired_login_token' | 'invalid_credentials' | 'insufficient_credits' | 'invalid_signature' | 'forbidden' | 'ai_access_denied' | 'no_saved_ai_key' | 'sign_up_closed' | 'not_found' | 'batch_not_found' | 'ai_key_not_found' | 'preset_not_found' | 'source_not_found' | 'source_image_not_found' | 'method_not_allowed' | 'email_taken' | 'last_administrator' | 'batch_not_completed' | 'batch_failed' | 'too_many_api_keys' | 'too_many_presets' | 'too_many_sources' | 'name_taken' | 'too_many_batches' | 'idempotency_key_reused' | 'batch_result_expired' | 'range_not_satisfiable' | 'background_not_separable' | 'cannot_fit' | 'upload_timeout' | 'rate_limited' | 'monthly_limit_exceeded' | 'background_quota_exceeded' | 'ai_daily_limit_exceeded' | 'ai_provider_rate_limited' | 'upload_length_mismatch' | 'upload_digest_mismatch' | 'upload_not_found' | 'upload_incomplete' | 'upload_offset_mismatch' | 'upload_in_use' | 'tus_version_not_supported' | 'upload_too_large' | 'upload_type_not_supported' | 'too_many_uploads' | 'conversion_failed' | 'internal_error' | 'billing_provider_error' | 'source_unavailable' | 'ai_provider_error' | 'billing_not_configured' | 'ai_service_unavailable' | 'ai_key_encryption_disabled' | 'database_unavailable' | 'server_busy' | 'storage_full' | 'storage_unavailable' | 'ai_provider_timeout';
    /**
     * One sentence for users.
     */
    message: string;
    /**
     * Only with invalid_params: each invalid parameter.
     */
    issues?: Array<Issue>;
    /**
     * Only with ai_provider_error: how the model server failed.
     */
    kind?: 'auth' | 'quota' | 'model_not_found' | 'no_vision' | 'refused' | 'bad_output' | 'network';
    /**
     * Only with background_not_separable: the confidence of the last remover, from 0 to 1.
     */
    confidence?: number;
    requestId: string;
    /**
     * URL of the documentation of this error.
     */
    docs: string;
};

export type ExtendStep = {
    /**
     * Pixels above.
     */
    top?: number;
    /**
     * Pixels to the right.
     */
    right?: number;
    /**
     * Pixels below.
     */
    bottom?: number;
    /**
     * Pixels to the left.
     */
    left?: number;
    /**
     * Its colour; in formats without transparency it is shown on white.
     */
    background?: string;
};

export type FailedImage = {
    index: number;
    status: 'error';
    error: AiImageError;
};

export type Fit = 'cover' | 'contain' | 'fill' | 'inside' | 'outside';

export type Gravity = 'center' | 'north' | 'northeast' | 'east' | 'southeast' | 'south' | 'southwest' | 'west' | 'northwest' | 'subject';

export type HdrPolicy = 'keep' | 'drop';

export type HdrResult = 'kept' | 'dropped';

export type IccPolicy = 'srgb' | 'keep';

export type ImageFile = {
    width: number;
    height: number;
    bytes: number;
    format: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';
};

export type ImageFormat = 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';

export type ImageInfo = {
    format?: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';
    mime?: string;
    /**
     * In pixels, of one frame as displayed.
     */
    width?: number;
    height?: number;
    /**
     * Of EXIF; 1 is upright. Width and height are after it.
     */
    orientation?: number;
    /**
     * That the file has, whether or not all are decoded.
     */
    frames?: number;
    /**
     * Of all frames; null for a still image.
     */
    durationMs?: number | null;
    /**
     * Bits a channel, or a number of the palette.
     */
    bitDepth?: number;
    colorSpace?: 'RGB' | 'grey' | 'CMYK';
    /**
     * The ICC profile; null without one.
     */
    icc?: {
        name: string | null;
    } | null;
    alpha?: boolean;
    /**
     * A gain map, or pixels coded by PQ or HLG; null for a picture of usual range.
     */
    hdr?: {
        kind: 'gainMap' | 'pq' | 'hlg';
    } | null;
    /**
     * Whether it has a C2PA manifest.
     */
    contentCredentials?: boolean;
    /**
     * By the names of the EXIF standard.
     */
    exif?: {
        /**
         * Only where exif.gps is asked for; degrees, and metres above the sea.
         */
        gps?: Place;
        [key: string]: unknown;
    };
    /**
     * Title, description, creator, credit, copyright and the like, of IPTC and XMP.
     */
    iptc?: {
        [key: string]: unknown;
    };
    /**
     * Whether it looks drawn or typeset rather than photographed.
     */
    drawn?: boolean;
    /**
     * The most frequent colour of the palette; null where all is transparent.
     */
    dominantColor?: string | null;
    /**
     * Up to five colours that stand for the picture, the most frequent first.
     */
    palette?: Array<string>;
    /**
     * ThumbHash in Base64, of the picture fitted into 100 × 100 pixels.
     */
    thumbHash?: string;
    /**
     * BlurHash of 4 × 3 components, of the same pixels on white.
     */
    blurHash?: string;
    /**
     * 64 bits that are alike for pictures that look alike: of an 8 × 8 DCT of 32 × 32 grey pixels.
     */
    perceptualHash?: string;
};

export type ImageWarning = 'first_frame_only' | 'first_page_only' | 'later_frames_damaged' | 'missing_end';

export type ImagesManifest = {
    /**
     * SHA-256 of what the recipe means, in hexadecimal digits.
     */
    recipeId: string;
    outputs: Array<ImagesManifestEntry>;
};

export type ImagesManifestEntry = {
    name: string;
    /**
     * Its name in the archive.
     */
    file: string;
    format: ImageFormat;
    width: number;
    height: number;
    bytes: number;
    /**
     * Only of an HDR source, with a gain map or coded by PQ or HLG.
     */
    hdr?: HdrResult;
    /**
     * Only of a source with a C2PA manifest: signed where the result has a new one.
     */
    contentCredentials?: ContentCredentials;
    /**
     * Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
     */
    reversible?: 'jpeg';
    /**
     * Only where not all of the file is in the result.
     */
    warnings?: Array<ImageWarning>;
    /**
     * SSIMULACRA2, where a score or a number of bytes was asked for.
     */
    qualityScore?: number;
};

export type Issue = {
    path: Array<string | number>;
    code: string;
    message: string;
};

export type ItemError = {
    code: string;
    message: string;
};

export type MetadataPolicy = 'none' | 'copyright' | 'all' | 'all+gps';

export type ModulateStep = {
    /**
     * Multiplies the lightness: 1 changes nothing.
     */
    brightness?: number;
    /**
     * Multiplies the chroma: 0 gives shades of grey.
     */
    saturation?: number;
    /**
     * Degrees by which hues are turned.
     */
    hue?: number;
    /**
     * Added to the lightness, which is 0 to 100.
     */
    lightness?: number;
};

export type NoParameters = {
    [key: string]: never;
};

export type Output = {
    /**
     * Name of the file; unique in the recipe.
     */
    name?: string;
    /**
     * Further steps, after those that all outputs share.
     */
    steps?: Array<Step>;
    /**
     * same keeps the format of the source. auto chooses by the header Accept, AVIF before JPEG XL before WebP, and else is the same as same. best has the fewest bytes at the same score among AVIF, WebP, JPEG and PNG, as far as Accept allows them.
     */
    format?: 'same' | 'auto' | 'best' | 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'jxl' | 'qoi';
    /**
     * The same number looks alike in every format.
     */
    quality?: number;
    /**
     * Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL.
     */
    visualQuality?: number;
    /**
     * The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL.
     */
    maxBytes?: number;
    /**
     * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
     */
    metadata?: MetadataPolicy;
    /**
     * srgb converts the colours; keep leaves them as they are, with the ICC profile.
     */
    icc?: IccPolicy;
    /**
     * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
     */
    hdr?: HdrPolicy;
    /**
     * Multiplies the sizes of the resizes among the further steps.
     */
    dpr?: number;
};

export type Place = {
    latitude?: number;
    longitude?: number;
    altitude?: number;
};

export type Point = {
    x: number;
    y: number;
};

export type Preset = {
    name: string;
    /**
     * With its defaults.
     */
    recipe: Recipe;
    /**
     * SHA-256 of what the recipe means, in hexadecimal digits.
     */
    recipeId: string;
    updatedAt: string;
};

export type Recipe = {
    /**
     * Done in this order, once, for all outputs.
     */
    steps?: Array<Step>;
    /**
     * Default: [{"name":"image","steps":[],"format":"same","metadata":"none","icc":"srgb","hdr":"keep","dpr":1}].
     */
    outputs?: Array<Output>;
};

export type Rectangle = {
    x: number;
    y: number;
    width: number;
    height: number;
};

export type ResizeStep = {
    /**
     * Width of the box in pixels.
     */
    width?: number;
    /**
     * Height of the box in pixels.
     */
    height?: number;
    /**
     * How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
     */
    fit?: Fit;
    /**
     * With cover: which part is kept. subject finds the most salient part, without a model. Default: center.
     */
    gravity?: Gravity | Point;
    /**
     * false: a smaller picture keeps its size; with cover each of its sides is cut to that of the box.
     */
    enlarge?: boolean;
};

export type RotateStep = {
    /**
     * Degrees clockwise.
     */
    angle: number;
    /**
     * What the corners become that an angle other than a multiple of 90 opens: by default transparent, in formats without transparency white.
     */
    background?: string;
};

export type SharpenStep = {
    /**
     * Sigma of the mask, in pixels.
     */
    sigma?: number;
    /**
     * How strongly: 1 is usual.
     */
    amount?: number;
};

export type Size = {
    width: number;
    height: number;
};

export type Step = {
    /**
     * Extract a rectangular region of the picture as displayed: at x and y, or by gravity.
     */
    crop?: CropStep;
    /**
     * Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel.
     */
    resize?: ResizeStep;
    /**
     * Rotate clockwise.
     */
    rotate?: RotateStep;
    /**
     * Mirror the picture top to bottom.
     */
    flip?: NoParameters;
    /**
     * Mirror the picture left to right.
     */
    flop?: NoParameters;
    /**
     * Remove a border of one colour, that of the top-left pixel.
     */
    trim?: TrimStep;
    /**
     * Add a border.
     */
    extend?: ExtendStep;
    /**
     * Blur the picture.
     */
    blur?: BlurStep;
    /**
     * Sharpen the picture.
     */
    sharpen?: SharpenStep;
    /**
     * Convert the picture to shades of grey.
     */
    grayscale?: NoParameters;
    /**
     * Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour.
     */
    tint?: TintStep;
    /**
     * Change brightness, saturation, hue or lightness, in the colour space CIE LCh.
     */
    modulate?: ModulateStep;
    /**
     * Show the picture on a colour, where it is transparent.
     */
    background?: BackgroundStep;
    /**
     * Overlay an image or a text on every frame; of an animated watermark the first frame is used.
     */
    watermark?: WatermarkStep;
    /**
     * Make the background transparent, by the built-in remover.
     */
    removeBackground?: NoParameters;
    /**
     * Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it.
     */
    enhance?: EnhanceStep;
};

export type Summary = {
    total: number;
    succeeded: number;
    failed: number;
};

export type TintStep = {
    /**
     * What it is tinted with.
     */
    color: string;
};

export type TokenUsage = {
    inputTokens: number;
    outputTokens: number;
    totalTokens: number;
};

export type TrimStep = {
    /**
     * How much a channel may differ from the colour, in levels of 255.
     */
    threshold?: number;
};

export type UserProvider = {
    /**
     * Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
     */
    baseUrl: string;
    /**
     * The name of a model on that server that accepts images.
     */
    model: string;
    /**
     * API key for that server. It is used for this request only and not stored.
     */
    apiKey?: string;
    /**
     * Use the key saved on the account (PUT /api/user/ai-key); only for the address it was saved with.
     */
    useAccountKey?: boolean;
};

export type WatermarkStep = {
    /**
     * Name of the file part that has the watermark.
     */
    image?: string;
    /**
     * In place of an image: a text, in the scripts that the font DejaVu has.
     */
    text?: string;
    /**
     * Side or corner of the base, or its centre.
     */
    position?: 'top-left' | 'top' | 'top-right' | 'left' | 'center' | 'right' | 'bottom-left' | 'bottom' | 'bottom-right';
    /**
     * Distance from the edges, as a fraction of the base’s shorter side.
     */
    margin?: number;
    /**
     * Percent; multiplies the transparency that the watermark has.
     */
    opacity?: number;
    /**
     * Watermark width as a fraction of the base width.
     */
    scale?: number;
    /**
     * What scale is a fraction of: by default the base’s width; with box the watermark also fits into that fraction of its height.
     */
    scaleBy?: 'width' | 'box';
    /**
     * Degrees clockwise.
     */
    angle?: number;
    /**
     * Repeats the watermark over all of the base.
     */
    tile?: boolean;
    /**
     * Between repetitions, as a fraction of the watermark’s width.
     */
    spacing?: number;
    /**
     * Of a text.
     */
    color?: string;
    /**
     * Of a text’s outline; without it there is none.
     */
    stroke?: string;
    /**
     * Of a text; by default sans.
     */
    font?: 'sans' | 'serif' | 'mono';
    /**
     * Of a text; by default normal.
     */
    weight?: 'normal' | 'bold';
};

export type ConvertData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * Output format; jpg is taken as jpeg. best has the fewest bytes at the same score among these, as far as the header Accept allows them.
         */
        format?: 'webp' | 'avif' | 'jpeg' | 'png' | 'jxl' | 'best';
        /**
         * The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
         */
        quality?: number;
        /**
         * Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL.
         */
        visualQuality?: number;
        /**
         * The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL.
         */
        maxBytes?: number;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
        /**
         * Output width in pixels; alone, the aspect ratio is kept.
         */
        width?: number;
        /**
         * Output height in pixels; alone, the aspect ratio is kept.
         */
        height?: number;
        /**
         * How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
         */
        fit?: Fit;
        /**
         * With cover: which part is kept. subject finds the most salient part, without a model. Default: center.
         */
        gravity?: Gravity | Point;
        /**
         * Convert to shades of grey.
         */
        grayscale?: boolean;
        /**
         * Blur radius: the sigma of a Gaussian, in output pixels.
         */
        blur?: number;
        /**
         * Degrees clockwise. Except for multiples of 90, new corners are transparent, or white in JPEG.
         */
        rotate?: number;
    };
    headers?: {
        /**
         * Decides among the formats of best.
         */
        Accept?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v1/convert';
};

export type ConvertErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type ConvertError = ConvertErrors[keyof ConvertErrors];

export type ConvertResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type ConvertResponse = ConvertResponses[keyof ConvertResponses];

export type ResizeData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * Target width in pixels.
         */
        width: number;
        /**
         * Target height in pixels.
         */
        height: number;
        /**
         * How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
         */
        fit?: Fit;
        /**
         * With cover: which part is kept. subject finds the most salient part, without a model. Default: center.
         */
        gravity?: Gravity | Point;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/resize';
};

export type ResizeErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type ResizeError = ResizeErrors[keyof ResizeErrors];

export type ResizeResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type ResizeResponse = ResizeResponses[keyof ResizeResponses];

export type CropData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * Horizontal offset of the top-left corner, in pixels.
         */
        x: number;
        /**
         * Vertical offset of the top-left corner, in pixels.
         */
        y: number;
        /**
         * Region width in pixels.
         */
        width: number;
        /**
         * Region height in pixels.
         */
        height: number;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/crop';
};

export type CropErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type CropError = CropErrors[keyof CropErrors];

export type CropResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type CropResponse = CropResponses[keyof CropResponses];

export type FlipData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/flip';
};

export type FlipErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type FlipError = FlipErrors[keyof FlipErrors];

export type FlipResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type FlipResponse = FlipResponses[keyof FlipResponses];

export type FlopData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/flop';
};

export type FlopErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type FlopError = FlopErrors[keyof FlopErrors];

export type FlopResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type FlopResponse = FlopResponses[keyof FlopResponses];

export type WatermarkData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * The watermark file.
         */
        watermark: Blob | File;
        /**
         * Corner or centre of the base.
         */
        position?: 'top-left' | 'top-right' | 'bottom-left' | 'bottom-right' | 'center';
        /**
         * Percent; multiplies the transparency that the watermark has.
         */
        opacity?: number;
        /**
         * Watermark width as a fraction of the base width.
         */
        scale?: number;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/watermark';
};

export type WatermarkErrors = {
    /**
     * missing_form_data, missing_image_file, missing_watermark_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type WatermarkError = WatermarkErrors[keyof WatermarkErrors];

export type WatermarkResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type WatermarkResponse = WatermarkResponses[keyof WatermarkResponses];

export type OptimizeData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * 1–100; at 100 no pixel changes.
         */
        quality?: number;
        /**
         * Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL.
         */
        visualQuality?: number;
        /**
         * The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL.
         */
        maxBytes?: number;
        /**
         * none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
         */
        metadata?: MetadataPolicy;
        /**
         * srgb converts the colours; keep leaves them as they are, with the ICC profile.
         */
        icc?: IccPolicy;
        /**
         * Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
         */
        hdr?: HdrPolicy;
    };
    path?: never;
    query?: never;
    url: '/api/v1/optimize';
};

export type OptimizeErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type OptimizeError = OptimizeErrors[keyof OptimizeErrors];

export type OptimizeResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type OptimizeResponse = OptimizeResponses[keyof OptimizeResponses];

export type MakeImagesData = {
    body: {
        /**
         * The image file.
         */
        image?: Blob | File;
        /**
         * The recipe as JSON, as the schema Recipe describes it.
         */
        recipe?: string;
        /**
         * Name of a preset of the account, in place of recipe.
         */
        preset?: string;
        /**
         * The handle of an upload (PUT /api/v3/uploads), in place of the file.
         */
        upload?: string;
    };
    headers?: {
        /**
         * A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe.
         */
        'Idempotency-Key'?: string;
        /**
         * Decides about the formats auto and best, and about ZIP or multipart/mixed.
         */
        Accept?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v3/images';
};

export type MakeImagesErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * preset_not_found, upload_not_found
     */
    404: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * idempotency_key_reused, upload_incomplete
     */
    409: Error;
    /**
     * background_not_separable, cannot_fit
     */
    422: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type MakeImagesError = MakeImagesErrors[keyof MakeImagesErrors];

export type MakeImagesResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type MakeImagesResponse = MakeImagesResponses[keyof MakeImagesResponses];

export type InspectData = {
    body: {
        /**
         * The image file.
         */
        image?: Blob | File;
        /**
         * The handle of an upload (PUT /api/v3/uploads), in place of the file.
         */
        upload?: string;
    };
    path?: never;
    query?: {
        /**
         * What is asked, separated by commas: format, mime, width, height, orientation, frames, durationMs, bitDepth, colorSpace, icc, alpha, hdr, contentCredentials, exif, iptc, drawn, dominantColor, palette, thumbHash, blurHash, perceptualHash, exif.gps. By default all but exif.gps.
         */
        fields?: Array<'format' | 'mime' | 'width' | 'height' | 'orientation' | 'frames' | 'durationMs' | 'bitDepth' | 'colorSpace' | 'icc' | 'alpha' | 'hdr' | 'contentCredentials' | 'exif' | 'iptc' | 'drawn' | 'dominantColor' | 'palette' | 'thumbHash' | 'blurHash' | 'perceptualHash' | 'exif.gps'>;
    };
    url: '/api/v3/info';
};

export type InspectErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_archive, archive_too_large, archive_has_no_images, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_not_found
     */
    404: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * upload_incomplete
     */
    409: Error;
    /**
     * rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type InspectError = InspectErrors[keyof InspectErrors];

export type InspectResponses = {
    /**
     * OK
     */
    200: {
        images: Array<{
            /**
             * In the archive.
             */
            path: string;
            info?: ImageInfo;
            error?: ItemError;
        }>;
    } | ImageInfo;
};

export type InspectResponse = InspectResponses[keyof InspectResponses];

export type ListPresetsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/user/presets';
};

export type ListPresetsErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_login_token, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type ListPresetsError = ListPresetsErrors[keyof ListPresetsErrors];

export type ListPresetsResponses = {
    /**
     * OK
     */
    200: {
        presets: Array<Preset>;
    };
};

export type ListPresetsResponse = ListPresetsResponses[keyof ListPresetsResponses];

export type RemovePresetData = {
    body?: never;
    path: {
        name: string;
    };
    query?: never;
    url: '/api/user/presets/{name}';
};

export type RemovePresetErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_login_token, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * preset_not_found
     */
    404: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type RemovePresetError = RemovePresetErrors[keyof RemovePresetErrors];

export type RemovePresetResponses = {
    /**
     * No Content
     */
    204: void;
};

export type RemovePresetResponse = RemovePresetResponses[keyof RemovePresetResponses];

export type SavePresetData = {
    body: {
        recipe: Recipe;
    };
    path: {
        name: string;
    };
    query?: never;
    url: '/api/user/presets/{name}';
};

export type SavePresetErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_login_token, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * too_many_presets
     */
    409: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type SavePresetError = SavePresetErrors[keyof SavePresetErrors];

export type SavePresetResponses = {
    /**
     * OK
     */
    200: Preset;
};

export type SavePresetResponse = SavePresetResponses[keyof SavePresetResponses];

export type MakePreviewData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * Width of the whole picture in pixels.
         */
        pictureWidth: number;
        /**
         * An image operation, in place of recipe.
         */
        operation?: 'convert' | 'resize' | 'crop' | 'flip' | 'flop' | 'watermark' | 'optimize';
        /**
         * The fields of the operation, as a JSON object.
         */
        params?: string;
        /**
         * The recipe as JSON, as the schema Recipe describes it.
         */
        recipe?: string;
    };
    headers?: {
        /**
         * Decides about the formats auto and best.
         */
        Accept?: string;
    };
    path?: never;
    query?: never;
    url: '/api/user/previews';
};

export type MakePreviewErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_login_token, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * cannot_fit
     */
    422: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type MakePreviewError = MakePreviewErrors[keyof MakePreviewErrors];

export type MakePreviewResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type MakePreviewResponse = MakePreviewResponses[keyof MakePreviewResponses];

export type RemoveBackgroundData = {
    body: {
        /**
         * The image file.
         */
        image: Blob | File;
        /**
         * The format of the cut-out; both have transparency.
         */
        format?: 'png' | 'webp';
    };
    path?: never;
    query?: never;
    url: '/api/background-remove';
};

export type RemoveBackgroundErrors = {
    /**
     * missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * background_not_separable
     */
    422: Error;
    /**
     * rate_limited, monthly_limit_exceeded, background_quota_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type RemoveBackgroundError = RemoveBackgroundErrors[keyof RemoveBackgroundErrors];

export type RemoveBackgroundResponses = {
    /**
     * OK
     */
    200: Blob | File;
};

export type RemoveBackgroundResponse = RemoveBackgroundResponses[keyof RemoveBackgroundResponses];

export type ShowBatchLimitsData = {
    body?: never;
    path?: never;
    query?: never;
    url: '/api/v2/batch/limits';
};

export type ShowBatchLimitsErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable
     */
    503: Error;
};

export type ShowBatchLimitsError = ShowBatchLimitsErrors[keyof ShowBatchLimitsErrors];

export type ShowBatchLimitsResponses = {
    /**
     * OK
     */
    200: {
        /**
         * Size of the ZIP archive.
         */
        archiveBytes: number;
        /**
         * Files in the archive, not counting folders and the extra files that macOS adds.
         */
        entries: number;
        /**
         * Total unpacked size of all files.
         */
        unpackedBytes: number;
        /**
         * Unfinished batches of one account.
         */
        accountBatches: number;
        /**
         * Total size of the archives of these batches.
         */
        accountBytes: number;
        /**
         * Size of one image; a larger image fails without affecting the others.
         */
        imageBytes: number;
        /**
         * Pixels of one image over all frames; a larger image fails without affecting the others.
         */
        imagePixels: number;
    };
};

export type ShowBatchLimitsResponse = ShowBatchLimitsResponses[keyof ShowBatchLimitsResponses];

export type StartBatchData = {
    body: {
        /**
         * The ZIP archive.
         */
        file?: Blob | File;
        /**
         * Output format of every image; jpg is taken as jpeg.
         */
        format?: 'webp' | 'avif' | 'jpeg' | 'png' | 'jxl';
        /**
         * The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
         */
        quality?: number;
        /**
         * Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL.
         */
        visualQuality?: number;
        /**
         * The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL.
         */
        maxBytes?: number;
        /**
         * The recipe as JSON, as the schema Recipe describes it.
         */
        recipe?: string;
        /**
         * Name of a preset of the account, in place of recipe.
         */
        preset?: string;
        /**
         * The handle of an upload (PUT /api/v3/uploads), in place of the file.
         */
        upload?: string;
        /**
         * How the file names of the archive are encoded that do not say it; auto recognises it.
         */
        nameEncoding?: 'auto' | 'cp437' | 'cp850' | 'cp1252' | 'shift_jis' | 'gbk' | 'big5' | 'euc-kr' | 'cp1251' | 'cp866' | 'utf-8';
        /**
         * A name for the batch, 1 to 100 characters; also the file name of its download.
         */
        name?: string;
        /**
         * An http or https URL that is called when the batch is completed or has failed; see docs/webhooks.md.
         */
        webhook_url?: string;
    };
    headers?: {
        /**
         * A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe.
         */
        'Idempotency-Key'?: string;
    };
    path?: never;
    query?: never;
    url: '/api/v2/batch';
};

export type StartBatchErrors = {
    /**
     * missing_form_data, missing_archive_file, invalid_archive, archive_too_large, archive_has_no_images, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * insufficient_credits
     */
    402: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * preset_not_found, upload_not_found
     */
    404: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * idempotency_key_reused, upload_incomplete
     */
    409: Error;
    /**
     * too_many_batches, rate_limited, monthly_limit_exceeded
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy, storage_full, storage_unavailable
     */
    503: Error;
};

export type StartBatchError = StartBatchErrors[keyof StartBatchErrors];

export type StartBatchResponses = {
    /**
     * Accepted
     */
    202: Batch;
};

export type StartBatchResponse = StartBatchResponses[keyof StartBatchResponses];

export type ShowBatchData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v2/batch/{id}/status';
};

export type ShowBatchErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * batch_not_found
     */
    404: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable
     */
    503: Error;
};

export type ShowBatchError = ShowBatchErrors[keyof ShowBatchErrors];

export type ShowBatchResponses = {
    /**
     * OK
     */
    200: Batch;
};

export type ShowBatchResponse = ShowBatchResponses[keyof ShowBatchResponses];

export type ListBatchEntriesData = {
    body?: never;
    path: {
        id: string;
    };
    query?: {
        /**
         * Only entries with this status.
         */
        status?: 'pending' | 'converted' | 'failed' | 'skipped';
        /**
         * The nextCursor of the previous page; omit it for the first page.
         */
        cursor?: string;
        /**
         * Number of rows in a page.
         */
        limit?: number;
    };
    url: '/api/v2/batch/{id}/entries';
};

export type ListBatchEntriesErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * batch_not_found
     */
    404: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable
     */
    503: Error;
};

export type ListBatchEntriesError = ListBatchEntriesErrors[keyof ListBatchEntriesErrors];

export type ListBatchEntriesResponses = {
    /**
     * OK
     */
    200: {
        data: Array<{
            /**
             * The entry's path, with / between the segments.
             */
            source: string;
            /**
             * The path of the image in the result; null when there is none.
             */
            output: string | null;
            /**
             * With several outputs: which one this is.
             */
            outputName?: string;
            /**
             * pending: not processed yet.
             */
            status: 'pending' | 'converted' | 'failed' | 'skipped';
            /**
             * Unpacked.
             */
            inputBytes: number | null;
            outputBytes: number | null;
            /**
             * Of the output, in pixels.
             */
            width: number | null;
            /**
             * Of the output, in pixels.
             */
            height: number | null;
            /**
             * Only of an HDR source, with a gain map or coded by PQ or HLG.
             */
            hdr?: HdrResult;
            /**
             * Only of a source with a C2PA manifest: signed where the result has a new one.
             */
            contentCredentials?: ContentCredentials;
            /**
             * Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
             */
            reversible?: 'jpeg';
            /**
             * Only where not all of the file is in the result.
             */
            warnings?: Array<ImageWarning>;
            /**
             * Only if it failed: the error that the endpoint for single images would return.
             */
            error?: ItemError;
            /**
             * Index in the archive, from 0.
             */
            seq: number;
        }>;
        /**
         * Totals of all entries, whatever the filter; the bytes are those of converted images.
         */
        totals: {
            pending: number;
            converted: number;
            failed: number;
            skipped: number;
            inputBytes: number;
            outputBytes: number;
        };
        /**
         * Send it as cursor to get the next page; null on the last page.
         */
        nextCursor: string | null;
    };
};

export type ListBatchEntriesResponse = ListBatchEntriesResponses[keyof ListBatchEntriesResponses];

export type FollowBatchData = {
    body?: never;
    headers?: {
        /**
         * The id of the last event received, as EventSource sends it.
         */
        'Last-Event-ID'?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v2/batch/{id}/events';
};

export type FollowBatchErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * batch_not_found
     */
    404: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable
     */
    503: Error;
};

export type FollowBatchError = FollowBatchErrors[keyof FollowBatchErrors];

export type FollowBatchResponses = {
    /**
     * OK
     */
    200: string;
    /**
     * Last-Event-ID is the id of the final event: there are no more events, and EventSource stops.
     */
    204: void;
};

export type FollowBatchResponse = FollowBatchResponses[keyof FollowBatchResponses];

export type DownloadBatchData = {
    body?: never;
    headers?: {
        /**
         * One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole.
         */
        Range?: string;
        /**
         * The ETag of what is there already: when it is another, the whole is sent.
         */
        'If-Range'?: string;
        /**
         * The ETag of what is there already: when it is the same, the answer is 304.
         */
        'If-None-Match'?: string;
    };
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v2/batch/{id}/result';
};

export type DownloadBatchErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * batch_not_found
     */
    404: Error;
    /**
     * batch_not_completed, batch_failed
     */
    409: Error;
    /**
     * batch_result_expired
     */
    410: Error;
    /**
     * range_not_satisfiable
     */
    416: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, storage_unavailable
     */
    503: Error;
};

export type DownloadBatchError = DownloadBatchErrors[keyof DownloadBatchErrors];

export type DownloadBatchResponses = {
    /**
     * OK
     */
    200: Blob | File;
    /**
     * The requested range.
     */
    206: Blob | File;
};

export type DownloadBatchResponse = DownloadBatchResponses[keyof DownloadBatchResponses];

export type DeleteBatchData = {
    body?: never;
    path: {
        id: string;
    };
    query?: never;
    url: '/api/v2/batch/{id}';
};

export type DeleteBatchErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * batch_not_found
     */
    404: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable
     */
    503: Error;
};

export type DeleteBatchError = DeleteBatchErrors[keyof DeleteBatchErrors];

export type DeleteBatchResponses = {
    /**
     * OK
     */
    200: {
        /**
         * Always true.
         */
        deleted: boolean;
    };
};

export type DeleteBatchResponse = DeleteBatchResponses[keyof DeleteBatchResponses];

export type AltTextData = {
    /**
     * A field that may be left out may also be null, which means the same.
     */
    body: {
        /**
         * 1 – 10 images as Base64 data URIs.
         */
        images: Array<string>;
        /**
         * Language of the texts, as ISO 639-1 code.
         */
        language?: 'en' | 'zh' | 'es' | 'fr' | 'de' | 'ja' | 'ko' | 'pt' | 'it';
        /**
         * descriptive: full sentences; concise: one short phrase; seo: a sentence for search engines.
         */
        style?: 'descriptive' | 'concise' | 'seo';
        /**
         * Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used.
         */
        userProvider?: UserProvider;
    };
    path?: never;
    query?: never;
    url: '/v1/ai/alt-text';
};

export type AltTextErrors = {
    /**
     * file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden, ai_access_denied, no_saved_ai_key
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * ai_provider_error
     */
    502: Error;
    /**
     * ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy
     */
    503: Error;
    /**
     * ai_provider_timeout
     */
    504: Error;
};

export type AltTextError = AltTextErrors[keyof AltTextErrors];

export type AltTextResponses = {
    /**
     * OK
     */
    200: {
        /**
         * One result for each image, in order. If all images fail, the response is the error of the first.
         */
        results: Array<{
            /**
             * Index of the image in the request, from 0.
             */
            index: number;
            status: 'ok';
            /**
             * Plain text: escape it in HTML. Empty for a decorative image, as in `alt=""`.
             */
            altText: string;
            language: 'en' | 'zh' | 'es' | 'fr' | 'de' | 'ja' | 'ko' | 'pt' | 'it';
            style: 'descriptive' | 'concise' | 'seo';
            /**
             * Whether the image is purely decorative.
             */
            decorative: boolean;
            /**
             * Text that can be read in the image, in its own language.
             */
            textInImage: string | null;
            /**
             * Confidence as stated by the model.
             */
            confidence: number;
        } | FailedImage>;
        summary: Summary;
        /**
         * Which model was used: the service's, or the one in `userProvider`.
         */
        provider: 'platform' | 'byok';
        /**
         * The name that the model server uses; `local` if no model was involved.
         */
        model: string;
        /**
         * Tokens as reported by the model server, including those of failed images; 0 if it reports none.
         */
        usage: TokenUsage;
        /**
         * Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.
         */
        quota?: AiQuota;
    };
};

export type AltTextResponse = AltTextResponses[keyof AltTextResponses];

export type RenameData = {
    /**
     * A field that may be left out may also be null, which means the same.
     */
    body: {
        /**
         * 1 – 20 images with their names.
         */
        images: Array<{
            /**
             * An image as a Base64 data URI, at most 15 MB decoded.
             */
            data: string;
            /**
             * The current file name with its extension. It is a hint for the model and is returned unchanged.
             */
            originalName?: string;
        }>;
        /**
         * Rules for building names. Default: {}.
         */
        rules?: {
            /**
             * Words at the start of each name. Letters of other scripts are transliterated to a-z where possible.
             */
            prefix?: string;
            /**
             * Whether names end with the number of their image in the request, from 01; failed images keep their numbers.
             */
            includeSequence?: boolean;
            /**
             * red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also kebab-case, snake_case, camelCase, PascalCase, title case, lowercase.
             */
            style?: 'kebab' | 'snake' | 'camel' | 'pascal' | 'title' | 'lower';
        };
        /**
         * Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used.
         */
        userProvider?: UserProvider;
    };
    path?: never;
    query?: never;
    url: '/v1/ai/rename';
};

export type RenameErrors = {
    /**
     * file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden, ai_access_denied, no_saved_ai_key
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * ai_provider_error
     */
    502: Error;
    /**
     * ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy
     */
    503: Error;
    /**
     * ai_provider_timeout
     */
    504: Error;
};

export type RenameError = RenameErrors[keyof RenameErrors];

export type RenameResponses = {
    /**
     * OK
     */
    200: {
        /**
         * One result for each image, in order. If all images fail, the response is the error of the first.
         */
        results: Array<{
            /**
             * Index of the image in the request, from 0.
             */
            index: number;
            status: 'ok';
            /**
             * The original name as sent.
             */
            originalName: string;
            /**
             * A name that is valid on Windows, macOS and Linux: a-z, A-Z, 0-9 and the separators of the style. Names in a response are unique, ignoring case.
             */
            newName: string;
            /**
             * The extension of `newName`, without the dot: the original one if it matches the file's format, otherwise that of the format.
             */
            extension: string;
            /**
             * Up to three alternative names, with prefix, number and extension.
             */
            alternatives: Array<string>;
            /**
             * Confidence as stated by the model.
             */
            confidence: number;
        } | FailedImage>;
        summary: Summary;
        /**
         * Which model was used: the service's, or the one in `userProvider`.
         */
        provider: 'platform' | 'byok';
        /**
         * The name that the model server uses; `local` if no model was involved.
         */
        model: string;
        /**
         * Tokens as reported by the model server, including those of failed images; 0 if it reports none.
         */
        usage: TokenUsage;
        /**
         * Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.
         */
        quota?: AiQuota;
    };
};

export type RenameResponse = RenameResponses[keyof RenameResponses];

export type SmartCropData = {
    /**
     * A field that may be left out may also be null, which means the same.
     */
    body: {
        /**
         * An image as a Base64 data URI, at most 15 MB decoded.
         */
        image: string;
        /**
         * Platform names; the default applies to a request without customRatio. Unknown names are listed in `unknownPlatforms` and get no crop.
         */
        platforms?: Array<string>;
        /**
         * A custom ratio, from 1:20 to 20:1; its crop is called custom.
         */
        customRatio?: {
            width: number;
            height: number;
        };
        /**
         * Whether the response contains the crops as images: in the image's format, or if browsers do not show that, as JPEG, or PNG with transparency.
         */
        returnCroppedImage?: boolean;
        /**
         * Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used.
         */
        userProvider?: UserProvider;
    };
    path?: never;
    query?: never;
    url: '/v1/ai/smart-crop';
};

export type SmartCropErrors = {
    /**
     * file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden, ai_access_denied, no_saved_ai_key
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * ai_provider_error
     */
    502: Error;
    /**
     * ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy
     */
    503: Error;
    /**
     * ai_provider_timeout
     */
    504: Error;
};

export type SmartCropError = SmartCropErrors[keyof SmartCropErrors];

export type SmartCropResponses = {
    /**
     * OK
     */
    200: {
        /**
         * Size of the image as displayed, after EXIF orientation. All other coordinates are in these pixels, from the upper left corner.
         */
        image: Size;
        subject: {
            /**
             * Description by the model; empty without a model.
             */
            description: string;
            /**
             * Bounding box of the subject; null if nothing is salient.
             */
            box: Rectangle | null;
            /**
             * The point that crops are centred on where possible.
             */
            focalPoint: {
                x: number;
                y: number;
            };
            /**
             * Confidence as stated by the model. Without a model: how much of the salience is inside the box, beyond the box's share of the area.
             */
            confidence: number;
        };
        crops: Array<{
            /**
             * The name as requested, in lower case; custom for customRatio.
             */
            platform: string;
            /**
             * The size that the platform expects.
             */
            target: Size;
            /**
             * The largest rectangle of the target's ratio that keeps most of the subject.
             */
            crop: Rectangle;
            /**
             * Only with returnCroppedImage: the crop scaled to the target size, or smaller if it has fewer pixels.
             */
            image?: string;
        }>;
        /**
         * Only of an HDR source, with a gain map or coded by PQ or HLG.
         */
        hdr?: HdrResult;
        /**
         * Only of a source with a C2PA manifest: signed where the result has a new one.
         */
        contentCredentials?: ContentCredentials;
        /**
         * Unknown platform names, in lower case.
         */
        unknownPlatforms?: Array<string>;
        /**
         * Which model was used: the service's, or the one in `userProvider`.
         */
        provider: 'platform' | 'byok';
        /**
         * The name that the model server uses; `local` if no model was involved.
         */
        model: string;
        /**
         * Tokens as reported by the model server, including those of failed images; 0 if it reports none.
         */
        usage: TokenUsage;
        /**
         * Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.
         */
        quota?: AiQuota;
    };
};

export type SmartCropResponse = SmartCropResponses[keyof SmartCropResponses];

export type EnhanceData = {
    /**
     * A field that may be left out may also be null, which means the same.
     */
    body: {
        /**
         * An image as a Base64 data URI, at most 15 MB decoded.
         */
        image: string;
        /**
         * The operation. auto removes noise and blur where there is much of it; upscale doubles width and height, or enlarges by the factor of the operator's model.
         */
        mode?: 'upscale' | 'denoise' | 'deblur' | 'auto';
        /**
         * 1: light, 2: medium, 3: strong.
         */
        intensity?: 1 | 2 | 3;
        /**
         * Whether the response contains the enhanced image.
         */
        returnPreview?: boolean;
    };
    path?: never;
    query?: never;
    url: '/v1/ai/enhance';
};

export type EnhanceErrors = {
    /**
     * file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden, ai_access_denied
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, ai_daily_limit_exceeded
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type EnhanceError = EnhanceErrors[keyof EnhanceErrors];

export type EnhanceResponses = {
    /**
     * OK
     */
    200: {
        /**
         * The operation that was applied; for auto, the operation if it was a single one.
         */
        mode: 'upscale' | 'denoise' | 'deblur' | 'auto';
        requestedMode: 'upscale' | 'denoise' | 'deblur' | 'auto';
        intensity: 1 | 2 | 3;
        /**
         * The steps applied, in order. Empty if nothing would improve the picture: then it is returned unchanged.
         */
        operations: Array<{
            name: 'denoise' | 'deblur' | 'upscale';
            /**
             * The parameters used; they may change between versions.
             */
            params: {
                [key: string]: unknown;
            };
        }>;
        /**
         * For an animation, the size of its first frame; only this frame is enhanced.
         */
        original: ImageFile;
        /**
         * In the format of the upload; but a changed HEIC, and a result too large for its format, becomes JPEG, or PNG with transparency.
         */
        enhanced: ImageFile;
        metrics: {
            /**
             * Standard deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3.
             */
            noiseBefore: number;
            /**
             * Standard deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3.
             */
            noiseAfter: number;
            /**
             * 1 is the maximum at this resolution; photographs have 0.6 to 0.9.
             */
            sharpnessBefore: number;
            /**
             * 1 is the maximum at this resolution; photographs have 0.6 to 0.9.
             */
            sharpnessAfter: number;
        };
        /**
         * Only of an HDR source, with a gain map or coded by PQ or HLG.
         */
        hdr?: HdrResult;
        /**
         * Only of a source with a C2PA manifest: signed where the result has a new one.
         */
        contentCredentials?: ContentCredentials;
        /**
         * Only with `returnPreview`: the enhanced image.
         */
        image?: string;
        /**
         * Which model was used: the service's, or the one in `userProvider`.
         */
        provider: 'platform' | 'byok';
        /**
         * The name that the model server uses; `local` if no model was involved.
         */
        model: string;
        /**
         * Tokens as reported by the model server, including those of failed images; 0 if it reports none.
         */
        usage: TokenUsage;
        /**
         * Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.
         */
        quota?: AiQuota;
    };
};

export type EnhanceResponse = EnhanceResponses[keyof EnhanceResponses];

export type RecommendData = {
    /**
     * A field that may be left out may also be null, which means the same.
     */
    body: {
        /**
         * 1 – 20 images with optional information about them.
         */
        images: Array<{
            /**
             * An image as a Base64 data URI, at most 15 MB decoded.
             */
            data: string;
            /**
             * Returned unchanged in the response.
             */
            filename?: string;
            /**
             * In pixels. The file itself decides; `reasons` reports a difference.
             */
            width?: number;
            /**
             * In pixels; see `width`.
             */
            height?: number;
            /**
             * In bytes; see `width`.
             */
            fileSize?: number;
            /**
             * See `width`.
             */
            mimeType?: string;
        }>;
        /**
         * The use case, which determines formats, quality and maximum size.
         */
        useCase?: 'web' | 'ecommerce' | 'social-media' | 'print' | 'archive' | 'general';
        /**
         * Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used.
         */
        userProvider?: UserProvider;
    };
    path?: never;
    query?: never;
    url: '/v1/ai/recommend';
};

export type RecommendErrors = {
    /**
     * file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden, ai_access_denied, no_saved_ai_key
     */
    403: Error;
    /**
     * upload_timeout
     */
    408: Error;
    /**
     * rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited
     */
    429: Error;
    /**
     * conversion_failed, internal_error
     */
    500: Error;
    /**
     * ai_provider_error
     */
    502: Error;
    /**
     * ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy
     */
    503: Error;
    /**
     * ai_provider_timeout
     */
    504: Error;
};

export type RecommendError = RecommendErrors[keyof RecommendErrors];

export type RecommendResponses = {
    /**
     * OK
     */
    200: {
        /**
         * One result for each image, in order. If all images fail, the response is the error of the first.
         */
        results: Array<{
            /**
             * Index of the image in the request, from 0.
             */
            index: number;
            status: 'ok';
            /**
             * The file name as sent.
             */
            filename: string;
            /**
             * Format and size detected from the contents of the file; for an animation, the size of one frame.
             */
            current: {
                format: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';
                width: number;
                height: number;
                bytes: number;
            };
            /**
             * The recommended encoding; the unchanged file, with `savedPercent` 0, if nothing is better.
             */
            recommended: {
                format: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';
                /**
                 * The quality parameter for convert. Null if the result is lossless, the format has no quality (GIF), or the file should stay unchanged.
                 */
                quality: number | null;
                width: number;
                height: number;
                bytes: number;
                /**
                 * Percentage saved relative to the uploaded file; negative if the result is larger.
                 */
                savedPercent: number;
            };
            /**
             * The encodings that were tried, best first.
             */
            candidates: Array<{
                format: 'webp' | 'avif' | 'jpeg' | 'png' | 'gif' | 'tiff' | 'heic' | 'bmp' | 'jxl' | 'qoi';
                /**
                 * The quality parameter for convert. Null if the result is lossless, the format has no quality (GIF), or the file should stay unchanged.
                 */
                quality: number | null;
                /**
                 * Measured by encoding the picture at the recommended size.
                 */
                bytes: number;
                /**
                 * Percentage saved relative to the uploaded file; negative if the result is larger.
                 */
                savedPercent: number;
                /**
                 * Structural similarity (SSIM) to the picture at that size; 1 if no pixel differs.
                 */
                ssim: number;
            }>;
            /**
             * Explanations in sentences.
             */
            reasons: Array<string>;
        } | FailedImage>;
        summary: Summary;
        /**
         * Which model was used: the service's, or the one in `userProvider`.
         */
        provider: 'platform' | 'byok';
        /**
         * The name that the model server uses; `local` if no model was involved.
         */
        model: string;
        /**
         * Tokens as reported by the model server, including those of failed images; 0 if it reports none.
         */
        usage: TokenUsage;
        /**
         * Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit.
         */
        quota?: AiQuota;
        useCase: 'web' | 'ecommerce' | 'social-media' | 'print' | 'archive' | 'general';
    };
};

export type RecommendResponse = RecommendResponses[keyof RecommendResponses];

export type ListBatchesData = {
    body?: never;
    path?: never;
    query?: {
        /**
         * The nextCursor of the previous page; omit it for the first page.
         */
        cursor?: string;
        /**
         * Number of rows in a page.
         */
        limit?: number;
    };
    url: '/api/user/batches';
};

export type ListBatchesErrors = {
    /**
     * invalid_params
     */
    400: Error;
    /**
     * missing_or_invalid_login_token, invalid_or_expired_login_token
     */
    401: Error;
    /**
     * forbidden
     */
    403: Error;
    /**
     * rate_limited
     */
    429: Error;
    /**
     * internal_error
     */
    500: Error;
    /**
     * database_unavailable, server_busy
     */
    503: Error;
};

export type ListBatchesError = ListBatchesErrors[keyof ListBatchesErrors];

export type ListBatchesResponses = {
    /**
     * OK
     */
    200: {
        data: Array<{
            id: string;
            /**
             * The name given by its owner; absent if there is none.
             */
            name?: string;
            /**
             * queued and processing are in progress; completed and failed are final.
             */
            status: BatchStatus;
            /**
             * Absent with a recipe.
             */
            format?: 'webp' | 'avif' | 'jpeg' | 'png' | 'jxl';
            /**
             * Does not apply with visualQuality; absent with a recipe.
             */
            quality?: number;
            /**
             * As requested, with its defaults.
             */
            recipe?: Recipe;
            recipeId?: string;
            /**
             * As requested.
             */
            visualQuality?: number;
            /**
             * As requested.
             */
            maxBytes?: number;
            /**
             * Numbers of images, without other entries. done is succeeded plus failed.
             */
            progress: BatchProgress;
            createdAt: string;
            startedAt?: string;
            finishedAt?: string;
            /**
             * When the result expires: 24 hours after finishedAt.
             */
            expiresAt?: string;
            /**
             * The path of the result, while it is available.
             */
            resultUrl?: string;
            /**
             * Why the whole batch failed.
             */
            error?: BatchError;
            /**
             * Totals of the images converted so far; null while there are none, and after the batch has expired.
             */
            inputBytes: number | null;
            /**
             * Bytes of the converted images.
             */
            outputBytes: number | null;
        }>;
        /**
         * Send it as cursor to get the next page; null on the last page.
         */
        nextCursor: string | null;
    };
};

export type ListBatchesResponse = ListBatchesResponses[keyof ListBatchesResponses];

export type BatchCompletedWebhookPayload = {
    type: 'batch.completed';
    /**
     * When the batch ended.
     */
    timestamp: string;
    /**
     * The status body at that time.
     */
    data: Batch;
};

export type BatchCompletedWebhookRequest = {
    body: BatchCompletedWebhookPayload;
    key: 'batch.completed';
    path?: never;
    query?: never;
};

export type BatchFailedWebhookPayload = {
    type: 'batch.failed';
    /**
     * When the batch ended.
     */
    timestamp: string;
    /**
     * The status body at that time.
     */
    data: Batch;
};

export type BatchFailedWebhookRequest = {
    body: BatchFailedWebhookPayload;
    key: 'batch.failed';
    path?: never;
    query?: never;
};
