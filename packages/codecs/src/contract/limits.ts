export const MiB = 1024 * 1024
export const GiB = 1024 * MiB

/** A number of bytes in words, rounded up. */
export const megabytes = (bytes: number): string => `${Math.ceil(bytes / MiB)} MB`

/**
 * Raised when a release changes pixels or bytes of any answer on purpose, so that stored answers of earlier ones can be told apart.
 * 2: `quality` is calibrated by SSIMULACRA2. 3: outputs carry gain maps, and metadata and ICC profiles where that is asked for;
 * optimize removes C2PA manifests; JPEGs are packed into JPEG XL; a resize with cover that may not enlarge cuts the picture.
 * 4: a side that is not given is rounded to the nearest pixel, also of a JPEG that is reduced while it is decoded;
 * PNGs have the fewest channels and bits that hold every pixel. 5: pictures whose decoder does not reduce them are always shrunk in
 * linear light; a score is that of the file; PNGs are animated.
 */
export const ENGINE = 5

/** Every limit of the service, of images and of everything else: outside of sentences, no other number in the code is one. */
export const limits = {
  /** Bytes of one uploaded file. */
  uploadBytes: 15 * MiB,
  /** Bytes of all uploads that one process holds in memory at once (a setting changes it). */
  uploadMemoryBytes: 512 * MiB,
  /** Bytes reserved for the text fields and part headers of a form, in addition to its files. */
  formOverheadBytes: MiB,
  /** Text fields in one form, and bytes of one of them: far above any real form, and small enough to be harmless. */
  formFields: 64,
  fieldBytes: 64 * 1024,
  /** Bytes of a JSON body that carries no image. */
  jsonBytes: 64 * 1024,
  /** Bytes of an event that Stripe sends: ten times what was seen, fifty long metadata included. */
  webhookBytes: 256 * 1024,
  /** Bytes of a message of an agent: an image of 256 KiB in Base64, and a recipe. */
  mcpBytes: 512 * 1024,
  /**
   * AI requests: bytes of a JSON body with its images in Base64 (a setting changes it), requests in one process at once, bytes of a
   * body beside its images and of one of its texts as it is written there (six for a character), values in it, lists and objects
   * inside each other; images of one request, characters of a model's name, of a model server's address and of its API key, of a file's
   * name and of what names may begin with.
   */
  ai: {
    bodyBytes: 64 * MiB,
    requestsAtOnce: { most: 32, ofOneAccount: 4 },
    skeletonBytes: 256 * 1024,
    textBytes: 32 * 1024,
    jsonValues: 1_000,
    jsonDepth: 100,
    altTextImages: 10,
    renameImages: 20,
    recommendImages: 20,
    modelLength: 200,
    baseUrlLength: 2_048,
    apiKeyLength: 1_000,
    originalNameLength: 1_024,
    prefixLength: 40,
    /** Pixels of the longer side of what a model sees: of photographs, and of what was drawn or typeset. */
    modelCopy: { photo: 1_024, drawn: 1_568 },
    /**
     * Platforms that one smart-crop may name and characters of such a name; its crops, one of a ratio of the caller's own among
     * them; and how many times as long as the other a side may be in that.
     */
    smartCrop: { platforms: 50, platformLength: 100, crops: 51, ratio: 20 },
  },
  /** A ZIP archive of a batch: bytes as uploaded, entries, bytes of all entries unpacked. Settings change them. */
  archive: { bytes: 512 * MiB, entries: 1_000, unpackedBytes: 5 * 1024 * MiB },
  /** Pixels of an image that comes in or goes out, all frames of an animation counted (80 megapixels = 8,000 × 10,000). */
  pixels: 80_000_000,
  /**
   * Bytes of an enhanced image, which the server holds until the client has taken it: enough for 80 megapixels of RGB without
   * compression; as Base64 they are 320 MB, and the longest string of JavaScript has 536 MB. Pixels of what a model enlarges: beyond
   * this the filters do.
   */
  enhance: { resultBytes: 240 * MiB, modelResultPixels: 40_000_000 },
  /** Bytes of an image whose background is to be removed: services take no more. */
  background: { uploadBytes: 10 * MiB },
  /** Frames of an animation: a minute at 16 frames a second; each frame costs a pass of the encoder. */
  frames: 1_000,
  /**
   * What is counted in a file before a decoder sees it, since each costs a decoder time or memory whatever its size. Scans of a
   * JPEG, and of one inside a TIFF: encoders write up to 14 (18 were seen in 352 files), and each is a pass over all pixels. Segments, chunks or boxes that
   * hold no pixels: up to 178 were seen in 1,000 files. Strips or tiles of a TIFF: 293; 80 megapixels in tiles of 32 × 32 are 78,125.
   * Chunks of an APNG: libpng writes one for each 8 KB of pixels.
   * Items of a HEIC or AVIF, and bytes of the references between them and of their places: 150, 604, 2,120.
   */
  structure: {
    jpegScans: 100,
    tiffJpegScans: 20,
    parts: 5_000,
    apngChunks: 100_000,
    tiffStrips: 131_072,
    heifItems: 10_000,
    heifReferenceBytes: 64 * 1024,
    heifLocationBytes: MiB,
  },
  side: { min: 1, max: 10_000 },
  quality: { min: 1, max: 100, default: 75 },
  /** SSIMULACRA2: what encoders reach by quantising, and what is worth sending. */
  visualQuality: { min: 30, max: 95 },
  maxBytes: { min: 1, max: 1_000_000_000 },
  blur: { min: 0.3, max: 100 },
  modulate: { factor: { min: 0, max: 10 }, hue: { min: -360, max: 360 }, lightness: { min: -100, max: 100 } },
  /** Percent by which contrast and vibrance change; the exponent of a gamma; pixels of the radius of corners. */
  adjust: { min: -100, max: 100 },
  gamma: { min: 0.1, max: 10 },
  radius: { min: 0, max: 10_000 },
  sharpen: { sigma: { min: 0.3, max: 10, default: 1 }, amount: { min: 0, max: 10, default: 1 } },
  trim: { min: 0, max: 255, default: 10 },
  /** Of a watermark: characters of a text, share of the base's shorter side, pixels of a text's outline as a share of its height. */
  watermark: { text: 500, margin: { min: 0, max: 0.5 }, spacing: { min: 0, max: 5, default: 0.5 } },
  rotate: { min: 0, max: 360 },
  opacity: { min: 0, max: 100, default: 100 },
  scale: { min: 0.01, max: 1, default: 0.2 },
  /**
   * Of a recipe: steps on the way to one output, outputs, their megapixels together, further files that its steps may read, characters
   * of a name, and by how much an output may multiply the sizes of its resizes. Seconds of a core, estimated from the headers, for
   * decoding and steps: on the way to one output, and to all of them. Enhancing 80 megapixels takes 5.
   */
  recipe: {
    steps: 20,
    outputs: 20,
    megapixels: 160,
    seconds: { output: 30, together: 60 },
    files: 8,
    nameLength: 64,
    dpr: { min: 0.1, max: 5, default: 1 },
  },
  /**
   * Of a preview: bytes of a file, its pixels and those of the result, how many an account may have in an hour (a setting changes it), and how many a process makes at once: of an account the one that
   * is looked at, and one whose cancellation has not arrived yet.
   */
  preview: { fileBytes: 5 * MiB, pixels: 500_000, resultPixels: 500_000, perHour: 1_000, atOnce: { most: 32, ofOneAccount: 2 } },
  /**
   * What is asked about images in one request: images of a ZIP, its bytes and those of its files unpacked; characters of a text and
   * values of a list in an answer.
   */
  info: { images: 100, archiveBytes: 64 * MiB, unpackedBytes: 512 * MiB, textLength: 2_000, listLength: 100 },
  /** Recipes that an account keeps. */
  presets: 100,
  /**
   * Delivery: sources of an account; seconds for which an answer is fresh; bytes of a path, which are S3's; paths of a source that are
   * purged singly, above which all of it is.
   */
  /** Of an SVG: bytes, elements, how deep they are nested (libxml2 refuses 256), attributes of one; and pixels of a picture of it. */
  svg: { bytes: 2_000_000, elements: 50_000, depth: 200, attributes: 500, side: 10_000, pixels: 16_000_000 },
  delivery: {
    sources: 20,
    maxAge: { min: 1, max: 31_536_000, default: 86_400 },
    pathBytes: 1_024,
    purgedPaths: 1_000,
    redirects: 3,
    signedWidths: 20,
    signedFormats: 5,
  },
  burstPerMinute: 30,
  /** The window of the limits of requests; and how often the last use of a key or a session is written, which is only displayed. */
  admission: { windowSeconds: 60, lastUseSeconds: 60 },
  /** No check of a password takes this long: the server died with it, and the guess counts as wrong. */
  guessSeconds: 60,
  /** A server that lost its connection to the database takes its lock again in this time, and counts as alive until then. */
  reconnectSeconds: 5,
  /** More than the longest request: a reservation that is older is given back. */
  reservationSeconds: 3_600,
  /** How long an answer is given again under its Idempotency-Key; and a key is held by a request, at most. */
  idempotency: { answerSeconds: 86_400, leaseSeconds: 600 },
  /**
   * Images of batches: for how long a claim is a worker's own; how often an image is tried that ends its renderer, and with how many
   * workers it may be lost. Batches: after how long without progress one fails, and above which time without any process that
   * time does not count; how long results can be downloaded.
   */
  batches: { leaseSeconds: 120, crashes: 3, lostWorkers: 5, staleSeconds: 1_800, unwatchedSeconds: 300, resultSeconds: 86_400 },
  /** Connections of one address without a request in flight: forty browsers behind one address keep six each. */
  idleConnections: 256,
  /** Of a process: 50 against a database's limit of 40 were measured to fail. */
  databaseConnections: 8,
  /** Characters; RFC 5321 §4.5.3.1.3 less its brackets. */
  emailLength: 254,
  /**
   * Characters after NFKC: NIST SP 800-63B §3.1.1.2 requires at least 8 and that 64 are accepted; four times that allows any
   * passphrase.
   */
  passwordLength: { min: 8, max: 256 },
  /** Characters of a person's or a key's name. */
  nameLength: 100,
  /** Keys of one account that are not revoked. */
  apiKeys: 100,
  /** Sign-ups and changes of e-mail address from one network in an hour. */
  newEmailsPerHour: 200,
  /** Requests of signed-in users in progress, but for those that are counted otherwise: a dashboard sends up to ten at once. */
  signedInRequests: { most: 1_024, ofOneAccount: 32 },
  /** Active sessions of one account; another one ends the oldest. */
  loginTokens: 100,
  /** Concurrent archive uploads to one process: each takes 3 MiB of memory for a folder, up to 32 MiB of parts for a bucket. */
  storedUploads: { most: 64, ofOneAccount: 8 },
  /**
   * Uploads by handle: how long one is kept after its last request, and an incomplete one at most; of one account, their number and bytes
   * (a setting changes these). Bytes of a part, the most that a crash of the server loses of an upload. Characters of a file's name.
   */
  handles: {
    keptSeconds: 3_600,
    longestSeconds: 86_400,
    ofAccount: { uploads: 1_000, bytes: 2 * 1024 * MiB },
    partBytes: 32 * MiB,
    nameLength: 255,
  },
  /** Limits of one account: unfinished batches, and bytes of their archives. Settings change them. */
  accountBatches: { batches: 100, bytes: 8 * 1024 * MiB },
  /** Results that one account may download from one process at once: read-ahead data stays in memory while a client stalls. */
  openDownloads: 20,
  /** Seconds after SHUTDOWN_DELAY_S: requests in progress have these to finish, refunds and final writes the rest. */
  shutdown: { requests: 30, rest: 5 },
  /** How long a client may read nothing of an answer: as long as proxies wait; during a shutdown, well within its 30 s. */
  stalledAnswer: { seconds: 60, closingSeconds: 5 },
} as const
