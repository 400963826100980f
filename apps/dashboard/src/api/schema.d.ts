// Made by `npm run docs` from the OpenAPI document; edits here are lost.

export interface paths {
    "/api/v1/convert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert and compress an image.
         * @description Animated GIF and WebP stay animated in WebP; in other formats the first frame is used. Colours are converted to sRGB, EXIF orientation is applied, metadata is removed. Transparency becomes white in JPEG. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["convert"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/resize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resize an image, preserving its aspect ratio and format.
         * @description May also enlarge. Animated GIF and WebP stay animated. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["resize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/crop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Extract a rectangular region.
         * @description Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["crop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/flip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mirror an image top to bottom.
         * @description Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["flip"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/flop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mirror an image left to right.
         * @description Applies to the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["flop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/watermark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Overlay a watermark image.
         * @description The watermark keeps its ratio and never exceeds the base. It is applied to every frame of an animation; an animated watermark contributes its first frame. It takes a form only: a body that is an image holds only one.
         */
        post: operations["watermark"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/optimize": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Re-encode to reduce size; the original format is preserved.
         * @description Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input. Instead of a form, the body may be the image itself with a type image/*; the other fields are then query parameters.
         */
        post: operations["optimize"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/images": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Carry out a recipe: several steps, and several images from one upload.
         * @description One output is answered as the image itself, several as a ZIP with manifest.json (schema ImagesManifest), or as multipart/mixed where Accept prefers that. Each output costs one call; if one cannot be made, the request fails and costs nothing. Steps refer to further files of the form by name. Unknown fields are errors.
         */
        post: operations["makeImages"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/info": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Describe an image, or up to 100 in a ZIP: size, format, colours, metadata, hashes.
         * @description Answers the fields that are asked for; the pixels are decoded only where one of them needs that. The file may be a ZIP of up to 100 images and 64 MB: then the answer is a list, and each image that could be read costs a call. Instead of a form, the body may be the image itself with a type image/*.
         */
        post: operations["inspect"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/presets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the presets of the account by name. */
        get: operations["listPresets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/presets/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Keep a recipe under a name, in place of the one that has it.
         * @description Wherever a recipe can be sent, `preset` with its name can be sent instead.
         */
        put: operations["savePreset"];
        post?: never;
        /** Remove a preset. */
        delete: operations["removePreset"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/previews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Show how a result will look, from a small copy of the picture, free of charge.
         * @description The image is a copy of at most 0.5 megapixels, and so is its preview: sizes in pixels are scaled to the copy. It costs no call; it counts as a request that only reads, and an account has at most two at once and PREVIEWS_PER_HOUR in an hour. The dashboard sends these while a slider moves. The steps removeBackground and enhance have no preview.
         */
        post: operations["makePreview"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/i/{source}/{path}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Deliver an image of a source by a signed URL.
         * @description The signature is the last parameter, s: the first 22 characters of an HMAC-SHA-256 in base64url, of everything from /i/ on without it, with the decoded secret as its key. An image that is made costs one call of the account that owns the source; answers from the cache are free. docs/delivery.md has the details.
         */
        get: operations["deliverImage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sources of the account by name, with what was delivered from them. */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sources/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show a source. */
        get: operations["showSource"];
        /**
         * Save a source of images that are delivered by URL.
         * @description The name is part of the URLs and belongs to one account of the server. A new source gets a secret, which signs its URLs. A changed place makes all servers forget what they have of the earlier one.
         */
        put: operations["saveSource"];
        post?: never;
        /** Remove a source. Its URLs stop working within a second. */
        delete: operations["removeSource"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sources/{name}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create a new secret of a source. The one before it stays valid until the next. */
        post: operations["rotateSourceSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sources/{name}/purge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make all servers forget what they have of a source, or of one of its paths.
         * @description It holds within a second. Browsers and CDNs keep their copies until max-age.
         */
        post: operations["purgeSource"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sources/{name}/sign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign a URL of a source, to try it. Programs sign by themselves, with the secret. */
        post: operations["signSourceUrl"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/background-remove": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the background of an image.
         * @description Answers the subject on transparency. Of an animation the first frame is used; an image that is transparent already is kept as it is. Counts one of the month’s removals, and with an API key one call; nothing where it fails. Instead of a form, the body may be the image itself with a type image/*; format is then a query parameter.
         */
        post: operations["removeBackground"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/uploads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Send a file ahead, and use it in later requests by its handle.
         * @description The body is the file. Its handle is sent in the form field upload in place of a file, as often as wanted, until it expires an hour later. An upload costs no call. With Upload-Complete it can be resumed after an interruption: docs/uploads.md.
         */
        put: operations["sendUpload"];
        post?: never;
        delete?: never;
        /** Show the limits of uploads, and that they can be resumed. */
        options: operations["showUploadOptions"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/uploads/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download an upload; with HEAD, ask how much of it has arrived.
         * @description HEAD of an incomplete upload is answered with 204 and Upload-Offset, and ends a request that still sends it: it continues at that offset.
         */
        get: operations["downloadUpload"];
        put?: never;
        post?: never;
        /** Delete an upload, complete or not. */
        delete: operations["deleteUpload"];
        options?: never;
        head?: never;
        /**
         * Send the next part of a file, or its rest after an interruption.
         * @description HEAD says at which offset to continue. What arrives is kept, also if the connection breaks. The last part has Upload-Complete: ?1.
         */
        patch: operations["resumeUpload"];
        trace?: never;
    };
    "/api/v3/tus": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * tus: begin an upload.
         * @description The last part of its Location is the handle of the upload. The body may have the first bytes.
         */
        post: operations["createTusUpload"];
        delete?: never;
        /** tus: show what this server supports. */
        options: operations["showTusOptions"];
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v3/tus/{handle}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * tus: ask with HEAD how much of an upload has arrived; download it with GET.
         * @description HEAD ends a request that still sends the upload: it continues at Upload-Offset.
         */
        get: operations["showTusUpload"];
        put?: never;
        /** tus: what X-HTTP-Method-Override says, for clients that cannot send it as the method. */
        post: operations["overrideTusUpload"];
        /** tus: delete an upload. */
        delete: operations["deleteTusUpload"];
        options?: never;
        head?: never;
        /**
         * tus: send more of an upload.
         * @description What arrives is kept, also if the connection breaks.
         */
        patch: operations["appendTusUpload"];
        trace?: never;
    };
    "/api/v2/batch/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the limits of an archive and of unfinished batches.
         * @description Operators can change these limits: check them before a large upload.
         */
        get: operations["showBatchLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Convert a ZIP archive of images.
         * @description The images are converted after the response. Each converted image costs one call, like a single request; failed images cost nothing. The calls for all images are reserved at the start. Entries that are not images are skipped.
         */
        post: operations["startBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch/{id}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the progress of a batch. */
        get: operations["showBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch/{id}/entries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the entries of the archive and their results so far.
         * @description The entries of the result's manifest in the archive's order, in pages, before there is a result; also for failed batches. After the batch has expired there are none.
         */
        get: operations["listBatchEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow a batch as server-sent events.
         * @description Events are named progress, completed and failed; their data is the status body. The stream ends with the batch. An idle stream sends a comment every 15 seconds. An account may have 20 open streams; another one gets 429 rate_limited.
         */
        get: operations["followBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch/{id}/result": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the result of a batch.
         * @description A ZIP of the converted images, in the folders of the archive, and manifest.json (the schema BatchManifest), which lists the outcome of every entry. An interrupted download can be resumed with Range. An account may have 20 open downloads; one that makes no progress for a minute is aborted.
         */
        get: operations["downloadBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/batch/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Cancel a batch and delete it with its files.
         * @description Converted images stay charged; the calls of all others are refunded. No webhook is sent.
         */
        delete: operations["deleteBatch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai/alt-text": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write alternative texts for images.
         * @description A model writes one text for each image, with at most 350 characters in the style descriptive, 160 in seo and 125 in concise; in Chinese, Japanese and Korean 0.6 times as many. Each image counts once for the daily quota; failed images do not count.
         */
        post: operations["altText"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai/rename": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Suggest file names that describe images.
         * @description A model describes each image in a few English words, which become a name of at most 80 characters and an extension. Each image counts once for the daily quota; failed images do not count.
         */
        post: operations["rename"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai/smart-crop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Find crops for social platforms that keep the subject.
         * @description A model finds the subject; without a model, or if the service's model fails, the most salient part of the picture is used. Platforms: square, instagram-square, instagram-portrait, instagram-landscape, instagram-grid, instagram-story, instagram-reel, twitter, twitter-card, twitter-header, facebook, facebook-square, facebook-cover, facebook-event, facebook-story, youtube-thumbnail, youtube-banner, linkedin, linkedin-cover, linkedin-company-cover, pinterest, tiktok, threads, whatsapp-status, open-graph, profile.
         */
        post: operations["smartCrop"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai/enhance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Enlarge, denoise or sharpen an image.
         * @description Measures noise and blur, and applies the filters that improve the picture; a good picture is returned unchanged. Images may have up to 80 megapixels; to be enlarged, up to 20. Counts as one image for the daily quota.
         */
        post: operations["enhance"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/ai/recommend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Recommend format, quality and size for images.
         * @description Encodes each image in every format that suits the use case, at the size that it needs, and measures bytes and similarity. A model only judges what kind of picture it is; without a model, or if the service's model fails, the pixels decide. Each image counts once for the daily quota; failed images do not count.
         */
        post: operations["recommend"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Call a tool by the Model Context Protocol.
         * @description Streamable HTTP without sessions, of the revisions 2026-07-28 and 2025-11-25. Tools ask other endpoints with the same credentials, which charge as usual; the call itself costs nothing. docs/mcp.md has the tools.
         */
        post: operations["callTool"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the account's batches of the last 30 days, newest first. */
        get: operations["listBatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show this month's usage and the latest calls.
         * @description The count of the month is exact; counts by endpoint and day and the list of calls lag by about 100 ms.
         */
        get: operations["usage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/usage/calls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the calls of the last twelve months, newest first.
         * @description The same entries as `recent` in GET /api/v2/usage, in pages: successful or not, including AI requests, with a lag of about 100 ms.
         */
        get: operations["listCalls"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the account's credits, the packages for sale, and the latest ledger entries. */
        get: operations["credits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/credits/ledger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List all entries of the credit ledger, newest first. */
        get: operations["listLedger"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/credits/checkout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a purchase of credits.
         * @description Returns the URL of a Stripe page for the payment; it is valid for 24 hours. The credits are added when Stripe reports the payment.
         */
        post: operations["buyCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/credits/purchases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the state of a purchase.
         * @description Stripe redirects back with the id of the purchase in `purchase`. A card payment is confirmed within seconds, a bank transfer within days.
         */
        get: operations["showPurchase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stripe/webhook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a Stripe event.
         * @description For Stripe only, which signs each event in the header Stripe-Signature. Adds the credits of a paid purchase, once.
         */
        post: operations["stripeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-up": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Create an account on the plan DEFAULT_PLAN, and sign in. */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with e-mail address and password; returns a login token valid for 30 days.
         * @description An unknown address, a wrong password and a disabled account get the same response. At most ten wrong passwords in 15 minutes are allowed for each address and network.
         */
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** End this session, or all sessions of the account. */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show the signed-in account. */
        get: operations["showUser"];
        put?: never;
        post?: never;
        /**
         * Delete the account permanently, with its keys, batches, usage and remaining credits.
         * @description All sessions end at once, and the e-mail address can be used for a new account. Records needed for accounting are kept without name and address: credit ledger, purchases, and audit log.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Change name, e-mail address or password. A new password ends all other sessions. */
        patch: operations["changeUser"];
        trace?: never;
    };
    "/api/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the sessions of the account, most recently used first. */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all sessions of the account except this one. */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** End one session. It stops working at once, on every server. */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the API keys that are not revoked, newest first. */
        get: operations["listApiKeys"];
        put?: never;
        /** Create an API key. Only this response contains the key. */
        post: operations["makeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke an API key. It stops working at once, on every server. */
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        /** Rename an API key. */
        patch: operations["renameApiKey"];
        trace?: never;
    };
    "/api/user/ai": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Show which models the account's AI requests may use. */
        get: operations["showAi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/ai-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the saved AI model; its key is masked.
         * @description The key is shown as its first six and last four characters with eight asterisks between; a key with fewer than 20 characters as asterisks only. It is shown even if AI_KEY_ENCRYPTION_SECRET is not set; saving or using a key then fails with ai_key_encryption_disabled.
         */
        get: operations["showAiKey"];
        /**
         * Save your own AI model with its key, replacing the one saved before.
         * @description AI requests use it with `userProvider.useAccountKey`, for this address only. The key is encrypted with AES-256-GCM and never shown again.
         */
        put: operations["saveAiKey"];
        post?: never;
        /** Delete the saved AI model and its key. */
        delete: operations["removeAiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/ai-key/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test your own AI model with a small question about a test picture: the saved model, or one that is not saved yet.
         * @description Errors of the model server are reported in the response with `ok: false`. A test counts for no quota; the model server may charge for tokens. Limit: 30 a minute for each account.
         */
        post: operations["tryAiModel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/webhook-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the secret that signs webhooks.
         * @description Webhooks follow the standard at standardwebhooks.com; its libraries accept the secret as returned.
         */
        get: operations["showWebhookSecret"];
        /**
         * Create a new secret. For 24 hours webhooks are signed with the old secret as well.
         * @description Takes no body. A secret that was replaced earlier stops signing at once.
         */
        put: operations["rotateWebhookSecret"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/webhook-deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List the webhooks of the last 30 days with their attempts, newest first. */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/webhook-deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver a webhook with the same id and body.
         * @description Works in any state; the attempt starts within seconds. Limit: ten a minute for each account. Has no effect while an attempt is in progress.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** List accounts, newest first. */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create an account for another user.
         * @description Works even if `SIGN_UP` is closed. The owner can change the password.
         */
        post: operations["addUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show an account with its limits, usage and keys.
         * @description Keys are shown only by their first and last characters.
         */
        get: operations["showAnyUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the plan, role, state, password or delivery places of an account.
         * @description Absent fields stay unchanged. Every change is recorded in the audit log with the old value.
         */
        patch: operations["changeAnyUser"];
        trace?: never;
    };
    "/api/admin/users/{id}/credits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Grant credits to an account.
         * @description One credit pays for one call. A grant cannot be revoked.
         */
        post: operations["grantCredits"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Read the audit log, newest first. */
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/system": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the state of the service and what needs attention.
         * @description Contains the data of `/readyz` and `/metrics`, the database's data on all processes, and the configured settings, but no secrets.
         */
        get: operations["systemState"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the process is alive. */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether requests can be served: 200, or 503 with the part that fails. */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Prometheus metrics.
         * @description On METRICS_PORT for everybody who reaches it; here only if METRICS_TOKEN is set, with it as the bearer token.
         */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/shrink": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Compress an image, as the clients of Tinify ask for it.
         * @description The body is the image, or JSON {"source": {"url": "https://…"}}. Basic authentication with the user name api and the API key as the password. It costs one call; the result is at Location for an hour. docs/tinify.md says what differs.
         */
        post: operations["shrink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/output/{output}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the image that POST /shrink has made.
         * @description A request with a body, as older clients send, is answered as POST.
         */
        get: operations["showOutput"];
        put?: never;
        /**
         * Make another image of what was sent to POST /shrink: resized, converted, on a background, with its metadata.
         * @description The body is JSON: {"resize": {"method": "fit", "width": 150, "height": 100}, "convert": {"type": "image/webp"}}. It costs one call.
         */
        post: operations["changeOutput"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The reference, for reading. */
        get: operations["reference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every error and what to do. */
        get: operations["errors"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The guides. */
        get: operations["guides"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides/{name}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A guide. */
        get: operations["guide"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The text of the guides, for the documentation search. */
        get: operations["guideSearch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/llms.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What there is to read for programs and language models, as llmstxt.org describes it. */
        get: operations["llms"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every error and what to do, as Markdown. */
        get: operations["errorsMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/guides/{name}.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A guide as Markdown. */
        get: operations["guideMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The reference as an OpenAPI 3.1 document. */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "batch.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch is completed: there is a result. */
        post: operations["batch.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "batch.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A batch has failed: there is no result. */
        post: operations["batch.failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AiCall: {
            /** @enum {string} */
            provider: "platform" | "byok";
            model: string;
            /** @description Images answered successfully. */
            images: number;
            inputTokens: number;
            outputTokens: number;
            /** @description Cost in US dollars; for the server's own model, if its prices are configured. */
            cost?: number;
        };
        AiImageError: {
            /**
             * @description The error identifier, as if the whole request had failed.
             * @enum {string}
             */
            code: "invalid_image_type" | "invalid_image" | "image_too_large" | "conversion_failed" | "server_busy" | "invalid_params" | "ai_service_unavailable" | "ai_provider_rate_limited" | "ai_provider_error" | "ai_provider_timeout";
            /** @description A sentence for users. */
            message: string;
            /**
             * @description Only with ai_provider_error.
             * @enum {string}
             */
            kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
        };
        AiQuota: {
            limit: number;
            used: number;
            remaining: number;
            /** Format: date-time */
            resetsAt: string;
        };
        AiSpent: {
            /** @description Images answered successfully. */
            images: number;
            inputTokens: number;
            outputTokens: number;
            /** @description Cost in US dollars; for the server's own model, if its prices are configured. */
            cost?: number;
        };
        AiUsage: {
            /** @description Images for the server's own model on this UTC day, including those in progress; null is unlimited. */
            today: components["schemas"]["Quota"];
            /** @description Totals of the month over all models. */
            month: components["schemas"]["AiSpent"];
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Its first seven characters. */
            prefix: string;
            /** @description Its last four characters. */
            lastFour: string;
            /** Format: date-time */
            createdAt: string;
            /** @description To the minute; null when it was never used. */
            lastUsedAt: string | null;
        };
        BackgroundStep: {
            /** @description What transparency becomes. */
            color: string;
        };
        Batch: {
            /** Format: uuid */
            id: string;
            /** @description The name given by its owner; absent if there is none. */
            name?: string;
            /** @description queued and processing are in progress; completed and failed are final. */
            status: components["schemas"]["BatchStatus"];
            /**
             * @description Absent with a recipe.
             * @enum {string}
             */
            format?: "webp" | "avif" | "jpeg" | "png" | "jxl";
            /** @description Does not apply with visualQuality; absent with a recipe. */
            quality?: number;
            /** @description As requested, with its defaults. */
            recipe?: components["schemas"]["Recipe"];
            recipeId?: string;
            /** @description As requested. */
            visualQuality?: number;
            /** @description As requested. */
            maxBytes?: number;
            /** @description Numbers of images, without other entries. done is succeeded plus failed. */
            progress: components["schemas"]["BatchProgress"];
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            startedAt?: string;
            /** Format: date-time */
            finishedAt?: string;
            /**
             * Format: date-time
             * @description When the result expires: 24 hours after finishedAt.
             */
            expiresAt?: string;
            /** @description The path of the result, while it is available. */
            resultUrl?: string;
            /** @description Why the whole batch failed. */
            error?: components["schemas"]["BatchError"];
        };
        BatchError: {
            /** @description An error identifier, or stale: no progress for 30 minutes, and nothing was charged. */
            code: string;
            message: string;
        };
        BatchManifest: {
            /** @description The entry's path, with / between the segments. */
            source: string;
            /** @description The path of the image in the result; null when there is none. */
            output: string | null;
            /** @description With several outputs: which one this is. */
            outputName?: string;
            status: components["schemas"]["EntryStatus"];
            /** @description Unpacked. */
            inputBytes: number | null;
            outputBytes: number | null;
            /** @description Of the output, in pixels. */
            width: number | null;
            /** @description Of the output, in pixels. */
            height: number | null;
            /** @description Only of an HDR source, with a gain map or coded by PQ or HLG. */
            hdr?: components["schemas"]["HdrResult"];
            /** @description Only of a source with a C2PA manifest: signed where the result has a new one. */
            contentCredentials?: components["schemas"]["ContentCredentials"];
            /**
             * @description Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
             * @constant
             */
            reversible?: "jpeg";
            /** @description Only where not all of the file is in the result. */
            warnings?: components["schemas"]["ImageWarning"][];
            /** @description Only if it failed: the error that the endpoint for single images would return. */
            error?: components["schemas"]["ItemError"];
        }[];
        BatchProgress: {
            total: number;
            done: number;
            succeeded: number;
            failed: number;
            percent: number;
        };
        /** @enum {string} */
        BatchStatus: "queued" | "processing" | "completed" | "failed";
        BlurStep: {
            /** @description Sigma of the Gaussian, in pixels. */
            sigma: number;
        };
        BucketSource: {
            name: string;
            maxAgeSeconds: number;
            unsigned: boolean;
            /** Format: date-time */
            updatedAt: string;
            /** @description Of the last 30 days: answers from the cache, which are free; images that were made, each a call; and bytes of both. */
            usage: components["schemas"]["SourceUsage"];
            /** @description Only of a source that has just been created, and of a new secret: 32 bytes as base64url. It is shown once. */
            secret?: string;
            /** @constant */
            type: "bucket";
            bucket: string;
            prefix: string;
            endpoint?: string;
            region?: string;
            accessKeyId?: string;
        };
        /** @enum {string} */
        ContentCredentials: "removed" | "signed";
        CropStep: {
            /** @description Horizontal offset of the top-left corner, in pixels. */
            x?: number;
            /** @description Vertical offset of the top-left corner, in pixels. */
            y?: number;
            /** @description Region width in pixels. */
            width: number;
            /** @description Region height in pixels. */
            height: number;
            /** @description Which part is kept, where x and y are left out; by default center. */
            gravity?: components["schemas"]["Gravity"] | components["schemas"]["Point"];
        };
        EnhanceStep: {
            /**
             * @description auto neither enlarges nor changes what is good already; upscale doubles both sides.
             * @default auto
             * @enum {string}
             */
            operation: "upscale" | "denoise" | "deblur" | "auto";
        };
        /** @enum {string} */
        EntryStatus: "converted" | "failed" | "skipped";
        Error: {
            /** @description The HTTP status code. */
            statusCode: number;
            /**
             * @description The error identifier, for programs.
             * @enum {string}
             */
            statusMessage: "missing_form_data" | "missing_image_file" | "missing_watermark_file" | "missing_archive_file" | "file_too_large" | "invalid_image_type" | "invalid_image" | "image_too_large" | "invalid_archive" | "archive_too_large" | "archive_has_no_images" | "invalid_params" | "invalid_stripe_signature" | "bad_request" | "missing_or_invalid_api_key" | "invalid_or_revoked_api_key" | "api_access_not_available" | "missing_or_invalid_login_token" | "invalid_or_expired_login_token" | "invalid_credentials" | "insufficient_credits" | "invalid_signature" | "forbidden" | "ai_access_denied" | "no_saved_ai_key" | "sign_up_closed" | "not_found" | "batch_not_found" | "ai_key_not_found" | "preset_not_found" | "source_not_found" | "source_image_not_found" | "method_not_allowed" | "email_taken" | "last_administrator" | "batch_not_completed" | "batch_failed" | "too_many_api_keys" | "too_many_presets" | "too_many_sources" | "name_taken" | "too_many_batches" | "idempotency_key_reused" | "batch_result_expired" | "range_not_satisfiable" | "background_not_separable" | "cannot_fit" | "upload_timeout" | "rate_limited" | "monthly_limit_exceeded" | "background_quota_exceeded" | "ai_daily_limit_exceeded" | "ai_provider_rate_limited" | "upload_length_mismatch" | "upload_digest_mismatch" | "upload_not_found" | "upload_incomplete" | "upload_offset_mismatch" | "upload_in_use" | "tus_version_not_supported" | "upload_too_large" | "upload_type_not_supported" | "too_many_uploads" | "conversion_failed" | "internal_error" | "billing_provider_error" | "source_unavailable" | "ai_provider_error" | "billing_not_configured" | "ai_service_unavailable" | "ai_key_encryption_disabled" | "database_unavailable" | "server_busy" | "storage_full" | "storage_unavailable" | "ai_provider_timeout";
            /** @description One sentence for users. */
            message: string;
            /** @description Only with invalid_params: each invalid parameter. */
            issues?: components["schemas"]["Issue"][];
            /**
             * @description Only with ai_provider_error: how the model server failed.
             * @enum {string}
             */
            kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
            /** @description Only with background_not_separable: the confidence of the last remover, from 0 to 1. */
            confidence?: number;
            requestId: string;
            /** @description URL of the documentation of this error. */
            docs: string;
        };
        ExtendStep: {
            /**
             * @description Pixels above.
             * @default 0
             */
            top: number;
            /**
             * @description Pixels to the right.
             * @default 0
             */
            right: number;
            /**
             * @description Pixels below.
             * @default 0
             */
            bottom: number;
            /**
             * @description Pixels to the left.
             * @default 0
             */
            left: number;
            /**
             * @description Its colour; in formats without transparency it is shown on white.
             * @default #ffffff00
             */
            background: string;
        };
        FailedImage: {
            index: number;
            /** @constant */
            status: "error";
            error: components["schemas"]["AiImageError"];
        };
        /** @enum {string} */
        Fit: "cover" | "contain" | "fill" | "inside" | "outside";
        FolderSource: {
            name: string;
            maxAgeSeconds: number;
            unsigned: boolean;
            /** Format: date-time */
            updatedAt: string;
            /** @description Of the last 30 days: answers from the cache, which are free; images that were made, each a call; and bytes of both. */
            usage: components["schemas"]["SourceUsage"];
            /** @description Only of a source that has just been created, and of a new secret: 32 bytes as base64url. It is shown once. */
            secret?: string;
            /** @constant */
            type: "folder";
            path: string;
        };
        /** @enum {string} */
        Gravity: "center" | "north" | "northeast" | "east" | "southeast" | "south" | "southwest" | "west" | "northwest" | "subject";
        /** @enum {string} */
        HdrPolicy: "keep" | "drop";
        /** @enum {string} */
        HdrResult: "kept" | "dropped";
        /** @enum {string} */
        IccPolicy: "srgb" | "keep";
        ImageFile: {
            width: number;
            height: number;
            bytes: number;
            /** @enum {string} */
            format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
        };
        /** @enum {string} */
        ImageFormat: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
        ImageInfo: {
            /** @enum {string} */
            format?: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
            mime?: string;
            /** @description In pixels, of one frame as displayed. */
            width?: number;
            height?: number;
            /** @description Of EXIF; 1 is upright. Width and height are after it. */
            orientation?: number;
            /** @description That the file has, whether or not all are decoded. */
            frames?: number;
            /** @description Of all frames; null for a still image. */
            durationMs?: number | null;
            /** @description Bits a channel, or a number of the palette. */
            bitDepth?: number;
            /** @enum {string} */
            colorSpace?: "RGB" | "grey" | "CMYK";
            /** @description The ICC profile; null without one. */
            icc?: {
                name: string | null;
            } | null;
            alpha?: boolean;
            /** @description A gain map, or pixels coded by PQ or HLG; null for a picture of usual range. */
            hdr?: {
                /** @enum {string} */
                kind: "gainMap" | "pq" | "hlg";
            } | null;
            /** @description Whether it has a C2PA manifest. */
            contentCredentials?: boolean;
            /** @description By the names of the EXIF standard. */
            exif?: {
                /** @description Only where exif.gps is asked for; degrees, and metres above the sea. */
                gps?: components["schemas"]["Place"];
            } & {
                [key: string]: unknown;
            };
            /** @description Title, description, creator, credit, copyright and the like, of IPTC and XMP. */
            iptc?: {
                [key: string]: unknown;
            };
            /** @description Whether it looks drawn or typeset rather than photographed. */
            drawn?: boolean;
            /** @description The most frequent colour of the palette; null where all is transparent. */
            dominantColor?: string | null;
            /** @description Up to five colours that stand for the picture, the most frequent first. */
            palette?: string[];
            /** @description ThumbHash in Base64, of the picture fitted into 100 × 100 pixels. */
            thumbHash?: string;
            /** @description BlurHash of 4 × 3 components, of the same pixels on white. */
            blurHash?: string;
            /** @description 64 bits that are alike for pictures that look alike: of an 8 × 8 DCT of 32 × 32 grey pixels. */
            perceptualHash?: string;
        };
        /** @enum {string} */
        ImageWarning: "first_frame_only" | "first_page_only" | "later_frames_damaged" | "missing_end";
        ImagesManifest: {
            /** @description SHA-256 of what the recipe means, in hexadecimal digits. */
            recipeId: string;
            outputs: components["schemas"]["ImagesManifestEntry"][];
        };
        ImagesManifestEntry: {
            name: string;
            /** @description Its name in the archive. */
            file: string;
            format: components["schemas"]["ImageFormat"];
            width: number;
            height: number;
            bytes: number;
            /** @description Only of an HDR source, with a gain map or coded by PQ or HLG. */
            hdr?: components["schemas"]["HdrResult"];
            /** @description Only of a source with a C2PA manifest: signed where the result has a new one. */
            contentCredentials?: components["schemas"]["ContentCredentials"];
            /**
             * @description Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
             * @constant
             */
            reversible?: "jpeg";
            /** @description Only where not all of the file is in the result. */
            warnings?: components["schemas"]["ImageWarning"][];
            /** @description SSIMULACRA2, where a score or a number of bytes was asked for. */
            qualityScore?: number;
        };
        Issue: {
            path: (string | number)[];
            code: string;
            message: string;
        };
        ItemError: {
            code: string;
            message: string;
        };
        JsonRpcError: {
            /** @constant */
            jsonrpc: "2.0";
            /** @description Of the message, where it has one. */
            id: string | number | null;
            error: {
                code: number;
                message: string;
            } & {
                [key: string]: unknown;
            };
        };
        ManagedAccount: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @description May be empty. */
            name: string;
            role: components["schemas"]["Role"];
            plan: components["schemas"]["Plan"];
            /** @description Remaining API credits. */
            credits: number;
            /** Format: date-time */
            createdAt: string;
            disabled: boolean;
            /** @description Folders and buckets of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or below them, that an administrator has granted. */
            deliveryPlaces: string[];
        };
        /** @enum {string} */
        MetadataPolicy: "none" | "copyright" | "all" | "all+gps";
        ModulateStep: {
            /** @description Multiplies the lightness: 1 changes nothing. */
            brightness?: number;
            /** @description Multiplies the chroma: 0 gives shades of grey. */
            saturation?: number;
            /** @description Degrees by which hues are turned. */
            hue?: number;
            /** @description Added to the lightness, which is 0 to 100. */
            lightness?: number;
        };
        NoParameters: Record<string, never>;
        Output: {
            /**
             * @description Name of the file; unique in the recipe.
             * @default image
             */
            name: string;
            /**
             * @description Further steps, after those that all outputs share.
             * @default []
             */
            steps: components["schemas"]["Step"][];
            /**
             * @description same keeps the format of the source. auto chooses by the header Accept, AVIF before JPEG XL before WebP, and else is the same as same. best has the fewest bytes at the same score among AVIF, WebP, JPEG and PNG, as far as Accept allows them.
             * @default same
             * @enum {string}
             */
            format: "same" | "auto" | "best" | "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "jxl" | "qoi";
            /** @description The same number looks alike in every format. */
            quality?: number;
            /** @description Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. */
            visualQuality?: number;
            /** @description The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. */
            maxBytes?: number;
            /**
             * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
             * @default none
             */
            metadata: components["schemas"]["MetadataPolicy"];
            /**
             * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
             * @default srgb
             */
            icc: components["schemas"]["IccPolicy"];
            /**
             * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
             * @default keep
             */
            hdr: components["schemas"]["HdrPolicy"];
            /**
             * @description Multiplies the sizes of the resizes among the further steps.
             * @default 1
             */
            dpr: number;
        };
        /** @enum {string} */
        PaidBy: "plan" | "credits" | "trial";
        PaidCalls: {
            /** @description How calls are paid for. */
            by: components["schemas"]["PaidBy"];
            limit: number | null;
            used: number;
            remaining: number | null;
        };
        Period: {
            /** Format: date-time */
            start: string;
            /** Format: date-time */
            end: string;
        };
        Place: {
            latitude?: number;
            longitude?: number;
            altitude?: number;
        };
        /** @enum {string} */
        Plan: "free" | "pro" | "team" | "enterprise";
        Point: {
            x: number;
            y: number;
        };
        Preset: {
            name: string;
            /** @description With its defaults. */
            recipe: components["schemas"]["Recipe"];
            /** @description SHA-256 of what the recipe means, in hexadecimal digits. */
            recipeId: string;
            /** Format: date-time */
            updatedAt: string;
        };
        Price: {
            /** @description In the smallest unit of the currency: 900 is 9.00 USD. */
            amount: number;
            /** @description ISO 4217 code in lower case. */
            currency: string;
        };
        Quota: {
            limit: number | null;
            used: number;
            remaining: number | null;
            /**
             * Format: date-time
             * @description The next 00:00 UTC.
             */
            resetsAt: string;
        };
        Recipe: {
            /**
             * @description Done in this order, once, for all outputs.
             * @default []
             */
            steps: components["schemas"]["Step"][];
            /** @description Default: [{"name":"image","steps":[],"format":"same","metadata":"none","icc":"srgb","hdr":"keep","dpr":1}]. */
            outputs?: components["schemas"]["Output"][];
        };
        Rectangle: {
            x: number;
            y: number;
            width: number;
            height: number;
        };
        ResizeStep: {
            /** @description Width of the box in pixels. */
            width?: number;
            /** @description Height of the box in pixels. */
            height?: number;
            /**
             * @description How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
             * @default inside
             */
            fit: components["schemas"]["Fit"];
            /** @description With cover: which part is kept. subject finds the most salient part, without a model. Default: center. */
            gravity?: components["schemas"]["Gravity"] | components["schemas"]["Point"];
            /**
             * @description false: a smaller picture keeps its size; with cover each of its sides is cut to that of the box.
             * @default true
             */
            enlarge: boolean;
        };
        /** @enum {string} */
        Role: "user" | "admin";
        RotateStep: {
            /** @description Degrees clockwise. */
            angle: number;
            /** @description What the corners become that an angle other than a multiple of 90 opens: by default transparent, in formats without transparency white. */
            background?: string;
        };
        SavedModel: {
            baseUrl: string;
            model: string;
            /** @description Masked: its first six and last four characters; none if it has fewer than 20. */
            apiKey: string;
            /** Format: date-time */
            updatedAt: string;
        };
        SharpenStep: {
            /**
             * @description Sigma of the mask, in pixels.
             * @default 1
             */
            sigma: number;
            /**
             * @description How strongly: 1 is usual.
             * @default 1
             */
            amount: number;
        };
        Size: {
            width: number;
            height: number;
        };
        SourceUsage: {
            hits: number;
            misses: number;
            bytes: number;
        };
        Step: {
            /** @description Extract a rectangular region of the picture as displayed: at x and y, or by gravity. */
            crop?: components["schemas"]["CropStep"];
            /** @description Scale the picture into a box; with one side the other follows in proportion, rounded to the nearest whole pixel. */
            resize?: components["schemas"]["ResizeStep"];
            /** @description Rotate clockwise. */
            rotate?: components["schemas"]["RotateStep"];
            /** @description Mirror the picture top to bottom. */
            flip?: components["schemas"]["NoParameters"];
            /** @description Mirror the picture left to right. */
            flop?: components["schemas"]["NoParameters"];
            /** @description Remove a border of one colour, that of the top-left pixel. */
            trim?: components["schemas"]["TrimStep"];
            /** @description Add a border. */
            extend?: components["schemas"]["ExtendStep"];
            /** @description Blur the picture. */
            blur?: components["schemas"]["BlurStep"];
            /** @description Sharpen the picture. */
            sharpen?: components["schemas"]["SharpenStep"];
            /** @description Convert the picture to shades of grey. */
            grayscale?: components["schemas"]["NoParameters"];
            /** @description Give the picture one hue and chroma: each pixel keeps its lightness, and takes the rest from a colour. */
            tint?: components["schemas"]["TintStep"];
            /** @description Change brightness, saturation, hue or lightness, in the colour space CIE LCh. */
            modulate?: components["schemas"]["ModulateStep"];
            /** @description Show the picture on a colour, where it is transparent. */
            background?: components["schemas"]["BackgroundStep"];
            /** @description Overlay an image or a text on every frame; of an animated watermark the first frame is used. */
            watermark?: components["schemas"]["WatermarkStep"];
            /** @description Make the background transparent, by the built-in remover. */
            removeBackground?: components["schemas"]["NoParameters"];
            /** @description Denoise, deblur or enlarge the picture; auto does what its pixels show to improve it. */
            enhance?: components["schemas"]["EnhanceStep"];
        };
        Summary: {
            total: number;
            succeeded: number;
            failed: number;
        };
        TinifyError: {
            /** @description Tinify's name of the error, such as BadRequest. */
            error: string;
            /** @description One sentence for users. */
            message: string;
            /** @description The error identifier of Pixelmill. */
            statusMessage: string;
        };
        TintStep: {
            /** @description What it is tinted with. */
            color: string;
        };
        TokenUsage: {
            inputTokens: number;
            outputTokens: number;
            totalTokens: number;
        };
        TrimStep: {
            /**
             * @description How much a channel may differ from the colour, in levels of 255.
             * @default 10
             */
            threshold: number;
        };
        UsageCall: {
            /** Format: uuid */
            id: string;
            endpoint: string;
            status: number;
            statusMessage?: string;
            /** @description The meaning of `statusMessage`. The response itself may have been more specific. */
            message?: string;
            /** @description The name of the API key; absent for a call with a session. */
            key?: string;
            inputBytes: number;
            outputBytes: number;
            durationMs: number;
            /** Format: date-time */
            at: string;
            /** @description For a request to an AI endpoint: its usage, even if it failed. */
            ai?: components["schemas"]["AiCall"];
        };
        User: {
            /** Format: uuid */
            id: string;
            email: string;
            /** @description May be empty. */
            name: string;
            role: components["schemas"]["Role"];
            plan: components["schemas"]["Plan"];
            /** @description Remaining API credits. */
            credits: number;
            /** Format: date-time */
            createdAt: string;
        };
        UserProvider: {
            /**
             * Format: uri
             * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
             * @example https://api.openai.com/v1
             */
            baseUrl: string;
            /** @description The name of a model on that server that accepts images. */
            model: string;
            /** @description API key for that server. It is used for this request only and not stored. */
            apiKey?: string;
            /** @description Use the key saved on the account (PUT /api/user/ai-key); only for the address it was saved with. */
            useAccountKey?: boolean;
        };
        WatermarkStep: {
            /** @description Name of the file part that has the watermark. */
            image?: string;
            /** @description In place of an image: a text, in the scripts that the font DejaVu has. */
            text?: string;
            /**
             * @description Side or corner of the base, or its centre.
             * @default bottom-right
             * @enum {string}
             */
            position: "top-left" | "top" | "top-right" | "left" | "center" | "right" | "bottom-left" | "bottom" | "bottom-right";
            /**
             * @description Distance from the edges, as a fraction of the base’s shorter side.
             * @default 0
             */
            margin: number;
            /**
             * @description Percent; multiplies the transparency that the watermark has.
             * @default 50
             */
            opacity: number;
            /**
             * @description Watermark width as a fraction of the base width.
             * @default 0.25
             */
            scale: number;
            /**
             * @description What scale is a fraction of: by default the base’s width; with box the watermark also fits into that fraction of its height.
             * @enum {string}
             */
            scaleBy?: "width" | "box";
            /**
             * @description Degrees clockwise.
             * @default 0
             */
            angle: number;
            /**
             * @description Repeats the watermark over all of the base.
             * @default false
             */
            tile: boolean;
            /**
             * @description Between repetitions, as a fraction of the watermark’s width.
             * @default 0.5
             */
            spacing: number;
            /** @description Of a text. */
            color?: string;
            /** @description Of a text’s outline; without it there is none. */
            stroke?: string;
            /**
             * @description Of a text; by default sans.
             * @enum {string}
             */
            font?: "sans" | "serif" | "mono";
            /**
             * @description Of a text; by default normal.
             * @enum {string}
             */
            weight?: "normal" | "bold";
        };
        WebSource: {
            name: string;
            maxAgeSeconds: number;
            unsigned: boolean;
            /** Format: date-time */
            updatedAt: string;
            /** @description Of the last 30 days: answers from the cache, which are free; images that were made, each a call; and bytes of both. */
            usage: components["schemas"]["SourceUsage"];
            /** @description Only of a source that has just been created, and of a new secret: 32 bytes as base64url. It is shown once. */
            secret?: string;
            /** @constant */
            type: "web";
            baseUrl: string;
        };
        WebhookAttempt: {
            number: number;
            /** Format: date-time */
            at: string;
            /** @description HTTP status of the response; absent if there was none. */
            status?: number;
            /** @description Why the attempt failed. */
            error?: string;
            /** @description Absent while the attempt is in progress, or if the server process ended during it. */
            durationMs?: number;
        };
        WebhookDelivery: {
            /**
             * Format: uuid
             * @description The `webhook-id` header, the same at every attempt.
             */
            id: string;
            /** Format: uuid */
            batchId: string;
            /** @description `batch.completed` or `batch.failed`. */
            type: string;
            url: string;
            /**
             * @description `failed`: no attempt is left; `stopped`: the server answered 410.
             * @enum {string}
             */
            status: "pending" | "delivered" | "failed" | "stopped";
            /** @description Oldest first; only the latest 20. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /** Format: date-time */
            nextAttemptAt?: string;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was first accepted.
             */
            deliveredAt?: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    convert: {
        parameters: {
            query?: never;
            header?: {
                /** @description Decides among the formats of best. */
                Accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * @description Output format; jpg is taken as jpeg. best has the fewest bytes at the same score among these, as far as the header Accept allows them.
                     * @default webp
                     * @enum {string}
                     */
                    format?: "webp" | "avif" | "jpeg" | "png" | "jxl" | "best";
                    /**
                     * @description The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
                     * @default 75
                     */
                    quality?: number;
                    /** @description Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. */
                    visualQuality?: number;
                    /** @description The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. */
                    maxBytes?: number;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                    /** @description Output width in pixels; alone, the aspect ratio is kept. */
                    width?: number;
                    /** @description Output height in pixels; alone, the aspect ratio is kept. */
                    height?: number;
                    /**
                     * @description How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
                     * @default inside
                     */
                    fit?: components["schemas"]["Fit"];
                    /** @description With cover: which part is kept. subject finds the most salient part, without a model. Default: center. */
                    gravity?: components["schemas"]["Gravity"] | components["schemas"]["Point"];
                    /**
                     * @description Convert to shades of grey.
                     * @default false
                     */
                    grayscale?: boolean;
                    /** @description Blur radius: the sigma of a Gaussian, in output pixels. */
                    blur?: number;
                    /**
                     * @description Degrees clockwise. Except for multiples of 90, new corners are transparent, or white in JPEG.
                     * @default 0
                     */
                    rotate?: number;
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Accept, with the format best. */
                    Vary?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/jxl": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /** @description Target width in pixels. */
                    width: number;
                    /** @description Target height in pixels. */
                    height: number;
                    /**
                     * @description How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
                     * @default inside
                     */
                    fit?: components["schemas"]["Fit"];
                    /** @description With cover: which part is kept. subject finds the most salient part, without a model. Default: center. */
                    gravity?: components["schemas"]["Gravity"] | components["schemas"]["Point"];
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    crop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /** @description Horizontal offset of the top-left corner, in pixels. */
                    x: number;
                    /** @description Vertical offset of the top-left corner, in pixels. */
                    y: number;
                    /** @description Region width in pixels. */
                    width: number;
                    /** @description Region height in pixels. */
                    height: number;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    flip: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    flop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    watermark: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * Format: binary
                     * @description The watermark file.
                     */
                    watermark: string;
                    /**
                     * @description Corner or centre of the base.
                     * @default bottom-right
                     * @enum {string}
                     */
                    position?: "top-left" | "top-right" | "bottom-left" | "bottom-right" | "center";
                    /**
                     * @description Percent; multiplies the transparency that the watermark has.
                     * @default 100
                     */
                    opacity?: number;
                    /**
                     * @description Watermark width as a fraction of the base width.
                     * @default 0.2
                     */
                    scale?: number;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, missing_watermark_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    optimize: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * @description 1–100; at 100 no pixel changes.
                     * @default 75
                     */
                    quality?: number;
                    /** @description Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. */
                    visualQuality?: number;
                    /** @description The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. */
                    maxBytes?: number;
                    /**
                     * @description none removes all. copyright keeps artist, copyright, credit, usage rights and the label of AI images. all keeps everything but orientation, thumbnails and places; all+gps keeps places too.
                     * @default none
                     */
                    metadata?: components["schemas"]["MetadataPolicy"];
                    /**
                     * @description srgb converts the colours; keep leaves them as they are, with the ICC profile.
                     * @default srgb
                     */
                    icc?: components["schemas"]["IccPolicy"];
                    /**
                     * @description Whether an HDR gain map is kept: in JPEG, AVIF and HEIC. X-Hdr says what became of it.
                     * @default keep
                     */
                    hdr?: components["schemas"]["HdrPolicy"];
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makeImages: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe. */
                "Idempotency-Key"?: string;
                /** @description Decides about the formats auto and best, and about ZIP or multipart/mixed. */
                Accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image?: string;
                    /** @description The recipe as JSON, as the schema Recipe describes it. */
                    recipe?: string;
                    /** @description Name of a preset of the account, in place of recipe. */
                    preset?: string;
                    /** @description The handle of an upload (PUT /api/v3/uploads), in place of the file. */
                    upload?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description SHA-256 of what the recipe means, in hexadecimal digits. */
                    "X-Recipe-Id"?: string;
                    /** @description Accept, where an output has the format auto or best. */
                    Vary?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    /** @description true where this is the answer of an earlier request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                    "application/zip": string;
                    "multipart/mixed": unknown;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description preset_not_found, upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description idempotency_key_reused, upload_incomplete */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description background_not_separable, cannot_fit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    inspect: {
        parameters: {
            query?: {
                fields?: ("format" | "mime" | "width" | "height" | "orientation" | "frames" | "durationMs" | "bitDepth" | "colorSpace" | "icc" | "alpha" | "hdr" | "contentCredentials" | "exif" | "iptc" | "drawn" | "dominantColor" | "palette" | "thumbHash" | "blurHash" | "perceptualHash" | "exif.gps")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image?: string;
                    /** @description The handle of an upload (PUT /api/v3/uploads), in place of the file. */
                    upload?: string;
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        images: {
                            /** @description In the archive. */
                            path: string;
                            info?: components["schemas"]["ImageInfo"];
                            error?: components["schemas"]["ItemError"];
                        }[];
                    } | components["schemas"]["ImageInfo"];
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_archive, archive_too_large, archive_has_no_images, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_incomplete */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPresets: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        presets: components["schemas"]["Preset"][];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    savePreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    recipe: components["schemas"]["Recipe"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Preset"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_presets */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removePreset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description preset_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makePreview: {
        parameters: {
            query?: never;
            header?: {
                /** @description Decides about the formats auto and best. */
                Accept?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /** @description Width of the whole picture in pixels. */
                    pictureWidth: number;
                    /**
                     * @description An image operation, in place of recipe.
                     * @enum {string}
                     */
                    operation?: "convert" | "resize" | "crop" | "flip" | "flop" | "watermark" | "optimize";
                    /**
                     * @description The fields of the operation, as a JSON object.
                     * @default {}
                     */
                    params?: string;
                    /** @description The recipe as JSON, as the schema Recipe describes it. */
                    recipe?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with a file name of the form converted.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. missing_end: The file lacks its end, after the last row of its pixels; the answer has all rows. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description cannot_fit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deliverImage: {
        parameters: {
            query?: {
                w?: number;
                h?: number;
                fit?: components["schemas"]["Fit"];
                g?: components["schemas"]["Gravity"] | components["schemas"]["Point"];
                dpr?: number;
                q?: number;
                vq?: number;
                max?: number;
                f?: "same" | "auto" | "best" | "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "jxl" | "qoi";
                rot?: number;
                flip?: boolean;
                flop?: boolean;
                blur?: number;
                sharpen?: number;
                gray?: boolean;
                bg?: string;
                p?: string;
                r?: string;
                e?: number;
            };
            header?: {
                /** @description Decides about the formats auto and best. */
                Accept?: string;
                /** @description With the ETag of an earlier answer: 304 if it has not changed. */
                "If-None-Match"?: string;
            };
            path: {
                source: string;
                path: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Strong: it changes with the bytes. */
                    ETag?: string;
                    /** @description Of the original, where its source says it. */
                    "Last-Modified"?: string;
                    /** @description public, with the maxAgeSeconds of the source, or less where the URL ends earlier. */
                    "Cache-Control"?: string;
                    /** @description hit, miss, or stale: the original could not be read again, or is being read again. */
                    "X-Cache"?: string;
                    /** @description inline, with a file name. */
                    "Content-Disposition"?: string;
                    /** @description Accept, with the formats auto and best. */
                    Vary?: string;
                    /** @description * */
                    "Access-Control-Allow-Origin"?: string;
                    /** @description * */
                    "Timing-Allow-Origin"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/heic": string;
                    "image/bmp": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description The image has not changed. */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description invalid_signature */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description preset_not_found, source_not_found, source_image_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description cannot_fit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_unavailable */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sources: (components["schemas"]["WebSource"] | components["schemas"]["BucketSource"] | components["schemas"]["FolderSource"])[];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSource"] | components["schemas"]["BucketSource"] | components["schemas"]["FolderSource"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Where the originals are: below a web address, in a bucket, or in a folder of the server.
                     * @enum {string}
                     */
                    type: "web" | "bucket" | "folder";
                    /**
                     * Format: uri
                     * @description Of web: where the originals are; the path of a picture is added to it.
                     */
                    baseUrl?: string;
                    /** @description Of bucket: its name. */
                    bucket?: string;
                    /** @description Of bucket: only objects below it are delivered. */
                    prefix?: string;
                    /**
                     * Format: uri
                     * @description Of bucket: address of the S3 server; by default Amazon’s.
                     */
                    endpoint?: string;
                    /** @description Of bucket. */
                    region?: string;
                    /** @description Of bucket: without a key, the server’s own is used for the buckets that DELIVERY_BUCKETS names. */
                    accessKeyId?: string;
                    /** @description Of bucket: left out, a key that was saved before stays. */
                    secretAccessKey?: string;
                    /** @description Of folder: one of DELIVERY_FOLDERS, or below it. */
                    path?: string;
                    /**
                     * @description How long an answer counts as fresh, here and in caches; then the original is asked whether it has changed.
                     * @default 86400
                     */
                    maxAgeSeconds?: number;
                    /**
                     * @description Whether URLs without a signature are served: with presets only.
                     * @default false
                     */
                    unsigned?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSource"] | components["schemas"]["BucketSource"] | components["schemas"]["FolderSource"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_sources, name_taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateSourceSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebSource"] | components["schemas"]["BucketSource"] | components["schemas"]["FolderSource"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    purgeSource: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description As in the URL, percent-encoded. Without it everything of the source is forgotten. */
                    path?: string;
                };
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signSourceUrl: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Of the picture in the source, percent-encoded; a space or another character that a URL has not is encoded. */
                    path: string;
                    /**
                     * @description The parameters of the URL: w=400&f=auto.
                     * @default
                     */
                    query?: string;
                    /** @description In place of the query: a recipe of one output, which becomes the parameter r. */
                    recipe?: components["schemas"]["Recipe"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description From /i/ on. */
                        url: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description source_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeBackground: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                    /**
                     * @description The format of the cut-out; both have transparency.
                     * @default png
                     * @enum {string}
                     */
                    format?: "png" | "webp";
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Attachment with the file name no-background.<ext>. */
                    "Content-Disposition"?: string;
                    /** @description Original size in bytes. */
                    "X-Input-Size"?: string;
                    /** @description Converted size in bytes. */
                    "X-Output-Size"?: string;
                    /** @description Percentage of space saved, with one decimal; negative when the output grew. */
                    "X-Saved-Percent"?: string;
                    /** @description Width of the answer in pixels. */
                    "X-Image-Width"?: string;
                    /** @description Height of the answer in pixels. */
                    "X-Image-Height"?: string;
                    /** @description Only with visualQuality or maxBytes: SSIMULACRA2 of the answer against the picture before it was encoded, with one decimal; large pictures are scored on samples. */
                    "X-Quality-Score"?: string;
                    /** @description Only of an HDR source, with a gain map or coded by PQ or HLG: kept or dropped. */
                    "X-Hdr"?: string;
                    /** @description Only of a source with a C2PA manifest: removed, or signed where the operator’s certificate signed a new one. */
                    "X-Content-Credentials"?: string;
                    /** @description Only of a JPEG that was packed into JPEG XL without loss: jpeg. It can be restored byte for byte. */
                    "X-Reversible"?: string;
                    /** @description The remover used: external (a service), model, or local. */
                    "X-Background-Removal"?: string;
                    /** @description How likely the cut-out is right, from 0.00 to 1.00. */
                    "X-Background-Confidence"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go; with a sign-in the same as X-Background-Limit. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go; with a sign-in the same as X-Background-Remaining. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Backgrounds that the account may have removed in a UTC month; "unlimited" where there is no limit. */
                    "X-Background-Limit"?: string;
                    /** @description Removals left this month; "unlimited" where there is no limit. */
                    "X-Background-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC on the first of the next month, as Unix time in seconds. */
                    "X-Background-Reset"?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/png": string;
                    "image/webp": string;
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description background_not_separable */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded, background_quota_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes the upload resumable: ?1 if the body is all of the file or its end, ?0 if more will follow. An interim response 104 then names its Location, if Upload-Draft-Interop-Version is 8 and no proxy is in between. */
                "Upload-Complete"?: string;
                /** @description Bytes of the whole file, where they are known. */
                "Upload-Length"?: string;
                /** @description SHA-256 of the whole file as sha-256=:<Base64>:. A file that arrives with another is refused. */
                "Repr-Digest"?: string;
                /** @description Its filename is that of the download. */
                "Content-Disposition"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "image/*": string;
                "application/zip": string;
                "application/octet-stream": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the upload. */
                    Location?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Is sent in the field upload in place of a file. Only for requests of the same account. */
                        handle: string;
                        /** @description Those that have arrived. */
                        bytes: number;
                        /**
                         * Format: date-time
                         * @description An hour after the last request that sent a part of it.
                         */
                        expiresAt: string;
                    };
                };
            };
            /** @description file_too_large, invalid_params, upload_length_mismatch, upload_digest_mismatch */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showUploadOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description application/partial-upload */
                    "Accept-Patch"?: string;
                    /** @description Most bytes of an upload (max-size). */
                    "Upload-Limit"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole. */
                Range?: string;
                /** @description The ETag of what is there already: when it is another, the whole is sent. */
                "If-Range"?: string;
                /** @description The ETag of what is there already: when it is the same, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Bytes of the whole. */
                    "Content-Length"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description Attachment, with the file name where one was sent. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/zip": string;
                    "application/octet-stream": unknown;
                };
            };
            /** @description HEAD: the upload is not complete. */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Which bytes these are, of how many: `bytes 1000-1999/2000`. */
                    "Content-Range"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description Attachment, with the file name where one was sent. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/zip": string;
                    "application/octet-stream": unknown;
                };
            };
            /** @description The upload has the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_incomplete, upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUpload: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description Where the part begins: the number of bytes that have arrived. */
                "Upload-Offset"?: string;
                /** @description Makes the upload resumable: ?1 if the body is all of the file or its end, ?0 if more will follow. An interim response 104 then names its Location, if Upload-Draft-Interop-Version is 8 and no proxy is in between. */
                "Upload-Complete"?: string;
                /** @description Bytes of the whole file, where they are known. */
                "Upload-Length"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/partial-upload": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the upload. */
                    Location?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Is sent in the field upload in place of a file. Only for requests of the same account. */
                        handle: string;
                        /** @description Those that have arrived. */
                        bytes: number;
                        /**
                         * Format: date-time
                         * @description An hour after the last request that sent a part of it.
                         */
                        expiresAt: string;
                    };
                };
            };
            /** @description The part has arrived, and more will follow. */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description file_too_large, invalid_params, upload_length_mismatch, upload_digest_mismatch */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_offset_mismatch, upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1.0.0 */
                "Tus-Resumable"?: string;
                /** @description Bytes of the whole file. */
                "Upload-Length"?: string;
                /** @description filename and filetype are kept; other keys are ignored. */
                "Upload-Metadata"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description The path of the upload. */
                    Location?: string;
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    /** @description Until when the upload is kept; every part adds to it. */
                    "Upload-Expires"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params, upload_length_mismatch */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description tus_version_not_supported */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_too_large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showTusOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    /** @description 1.0.0 */
                    "Tus-Version"?: string;
                    /** @description creation,creation-with-upload,termination,expiration */
                    "Tus-Extension"?: string;
                    /** @description Bytes of an upload: by default 536870912. */
                    "Tus-Max-Size"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole. */
                Range?: string;
                /** @description The ETag of what is there already: when it is another, the whole is sent. */
                "If-Range"?: string;
                /** @description The ETag of what is there already: when it is the same, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Bytes of the whole. */
                    "Content-Length"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description Attachment, with the file name where one was sent. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/zip": string;
                    "application/octet-stream": unknown;
                };
            };
            /** @description HEAD: the upload is not complete. */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Which bytes these are, of how many: `bytes 1000-1999/2000`. */
                    "Content-Range"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description ?1 if all have arrived, else ?0. */
                    "Upload-Complete"?: string;
                    /** @description Most bytes of an upload (max-size), and seconds until it expires (max-age). */
                    "Upload-Limit"?: string;
                    /** @description Attachment, with the file name where one was sent. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/*": string;
                    "application/zip": string;
                    "application/octet-stream": unknown;
                };
            };
            /** @description The upload has the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_incomplete, upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description tus_version_not_supported */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    overrideTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description PATCH, HEAD, DELETE */
                "X-HTTP-Method-Override"?: string;
                /** @description 1.0.0 */
                "Tus-Resumable"?: string;
                /** @description Bytes that have arrived. */
                "Upload-Offset"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No Content */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    /** @description Until when the upload is kept; every part adds to it. */
                    "Upload-Expires"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params, upload_length_mismatch */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description method_not_allowed */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_offset_mismatch, upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description tus_version_not_supported */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_type_not_supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1.0.0 */
                "Tus-Resumable"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description tus_version_not_supported */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    appendTusUpload: {
        parameters: {
            query?: never;
            header?: {
                /** @description 1.0.0 */
                "Tus-Resumable"?: string;
                /** @description Bytes that have arrived. */
                "Upload-Offset"?: string;
            };
            path: {
                handle: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/offset+octet-stream": string;
            };
        };
        responses: {
            /** @description No Content */
            204: {
                headers: {
                    /** @description Bytes that have arrived. */
                    "Upload-Offset"?: string;
                    /** @description 1.0.0 */
                    "Tus-Resumable"?: string;
                    /** @description Until when the upload is kept; every part adds to it. */
                    "Upload-Expires"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params, upload_length_mismatch */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_offset_mismatch, upload_in_use */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description tus_version_not_supported */
            412: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_type_not_supported */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showBatchLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Size of the ZIP archive. */
                        archiveBytes: number;
                        /** @description Files in the archive, not counting folders and the extra files that macOS adds. */
                        entries: number;
                        /** @description Total unpacked size of all files. */
                        unpackedBytes: number;
                        /** @description Unfinished batches of one account. */
                        accountBatches: number;
                        /** @description Total size of the archives of these batches. */
                        accountBytes: number;
                        /** @description Size of one image; a larger image fails without affecting the others. */
                        imageBytes: number;
                        /** @description Pixels of one image over all frames; a larger image fails without affecting the others. */
                        imagePixels: number;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    startBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The ZIP archive.
                     */
                    file?: string;
                    /**
                     * @description Output format of every image; jpg is taken as jpeg.
                     * @default webp
                     * @enum {string}
                     */
                    format?: "webp" | "avif" | "jpeg" | "png" | "jxl";
                    /**
                     * @description The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
                     * @default 75
                     */
                    quality?: number;
                    /** @description Instead of quality: the SSIMULACRA2 score to reach, with the fewest bytes. 90 is visually lossless, 70 high, 50 medium quality. Of WebP, AVIF, JPEG, JPEG XL. */
                    visualQuality?: number;
                    /** @description The most bytes of the answer: the best quality that fits is sent, at most quality or visualQuality. Of WebP, AVIF, JPEG, PNG, JPEG XL. */
                    maxBytes?: number;
                    /** @description The recipe as JSON, as the schema Recipe describes it. */
                    recipe?: string;
                    /** @description Name of a preset of the account, in place of recipe. */
                    preset?: string;
                    /** @description The handle of an upload (PUT /api/v3/uploads), in place of the file. */
                    upload?: string;
                    /**
                     * @description How the file names of the archive are encoded that do not say it; auto recognises it.
                     * @default auto
                     * @enum {string}
                     */
                    nameEncoding?: "auto" | "cp437" | "cp850" | "cp1252" | "shift_jis" | "gbk" | "big5" | "euc-kr" | "cp1251" | "cp866" | "utf-8";
                    /** @description A name for the batch, 1 to 100 characters; also the file name of its download. */
                    name?: string;
                    /** @description An http or https URL that is called when the batch is completed or has failed; see docs/webhooks.md. */
                    webhook_url?: string;
                };
            };
        };
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    /** @description The path of its status. */
                    Location?: string;
                    /** @description While the batch is running: seconds after which to poll again. */
                    "Retry-After"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    /** @description true where this is the answer of an earlier request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description missing_form_data, missing_archive_file, invalid_archive, archive_too_large, archive_has_no_images, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description preset_not_found, upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description idempotency_key_reused, upload_incomplete */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_batches, rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy, storage_full, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description While the batch is running: seconds after which to poll again. */
                    "Retry-After"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Batch"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatchEntries: {
        parameters: {
            query?: {
                status?: "pending" | "converted" | "failed" | "skipped";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description The entry's path, with / between the segments. */
                            source: string;
                            /** @description The path of the image in the result; null when there is none. */
                            output: string | null;
                            /** @description With several outputs: which one this is. */
                            outputName?: string;
                            /**
                             * @description pending: not processed yet.
                             * @enum {string}
                             */
                            status: "pending" | "converted" | "failed" | "skipped";
                            /** @description Unpacked. */
                            inputBytes: number | null;
                            outputBytes: number | null;
                            /** @description Of the output, in pixels. */
                            width: number | null;
                            /** @description Of the output, in pixels. */
                            height: number | null;
                            /** @description Only of an HDR source, with a gain map or coded by PQ or HLG. */
                            hdr?: components["schemas"]["HdrResult"];
                            /** @description Only of a source with a C2PA manifest: signed where the result has a new one. */
                            contentCredentials?: components["schemas"]["ContentCredentials"];
                            /**
                             * @description Only of a JPEG that was packed into JPEG XL: it can be restored byte for byte.
                             * @constant
                             */
                            reversible?: "jpeg";
                            /** @description Only where not all of the file is in the result. */
                            warnings?: components["schemas"]["ImageWarning"][];
                            /** @description Only if it failed: the error that the endpoint for single images would return. */
                            error?: components["schemas"]["ItemError"];
                            /** @description Index in the archive, from 0. */
                            seq: number;
                        }[];
                        /** @description Totals of all entries, whatever the filter; the bytes are those of converted images. */
                        totals: {
                            pending: number;
                            converted: number;
                            failed: number;
                            skipped: number;
                            inputBytes: number;
                            outputBytes: number;
                        };
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    followBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The id of the last event received, as EventSource sends it. */
                "Last-Event-ID"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example event: completed
                     *     id: completed-2
                     *     data: {"id":"3f0c9a52-7d0e-4c4e-9a43-0e6f5b1c2d11","status":"completed","format":"webp","quality":75,"progress":{"total":2,"done":2,"succeeded":2,"failed":0,"percent":100},"createdAt":"2026-11-21T14:00:00.000Z","startedAt":"2026-11-21T14:00:00.210Z","finishedAt":"2026-11-21T14:00:00.860Z","expiresAt":"2026-11-22T14:00:00.860Z","resultUrl":"/api/v2/batch/3f0c9a52-7d0e-4c4e-9a43-0e6f5b1c2d11/result"}
                     */
                    "text/event-stream": string;
                };
            };
            /** @description Last-Event-ID is the id of the final event: there are no more events, and EventSource stops. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description One range of bytes, such as `bytes=1000-`. Several at once are answered with the whole. */
                Range?: string;
                /** @description The ETag of what is there already: when it is another, the whole is sent. */
                "If-Range"?: string;
                /** @description The ETag of what is there already: when it is the same, the answer is 304. */
                "If-None-Match"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Bytes of the whole. */
                    "Content-Length"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Attachment with the file name <id>.zip, or the batch's name in place of the id. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The requested range. */
            206: {
                headers: {
                    /** @description Which bytes these are, of how many: `bytes 1000-1999/2000`. */
                    "Content-Range"?: string;
                    /** @description Bytes of the part. */
                    "Content-Length"?: string;
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    /** @description Attachment with the file name <id>.zip, or the batch's name in place of the id. */
                    "Content-Disposition"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The result has the ETag in If-None-Match. */
            304: {
                headers: {
                    /** @description Of the bytes; for If-Range and If-None-Match. */
                    ETag?: string;
                    /** @description bytes */
                    "Accept-Ranges"?: string;
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_completed, batch_failed */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_result_expired */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description range_not_satisfiable */
            416: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteBatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        deleted: boolean;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description batch_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    altText: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A field that may be left out may also be null, which means the same. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 – 10 images as Base64 data URIs. */
                    images: string[];
                    /**
                     * @description Language of the texts, as ISO 639-1 code.
                     * @default en
                     * @enum {string}
                     */
                    language?: "en" | "zh" | "es" | "fr" | "de" | "ja" | "ko" | "pt" | "it";
                    /**
                     * @description descriptive: full sentences; concise: one short phrase; seo: a sentence for search engines.
                     * @default descriptive
                     * @enum {string}
                     */
                    style?: "descriptive" | "concise" | "seo";
                    /** @description Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used. */
                    userProvider?: components["schemas"]["UserProvider"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider. */
                    "X-AI-Limit"?: string;
                    /** @description Images left today; "unlimited" where there is no limit. */
                    "X-AI-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC, as Unix time in seconds. */
                    "X-AI-Reset"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One result for each image, in order. If all images fail, the response is the error of the first. */
                        results: ({
                            /** @description Index of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description Plain text: escape it in HTML. Empty for a decorative image, as in `alt=""`. */
                            altText: string;
                            /** @enum {string} */
                            language: "en" | "zh" | "es" | "fr" | "de" | "ja" | "ko" | "pt" | "it";
                            /** @enum {string} */
                            style: "descriptive" | "concise" | "seo";
                            /** @description Whether the image is purely decorative. */
                            decorative: boolean;
                            /** @description Text that can be read in the image, in its own language. */
                            textInImage: string | null;
                            /** @description Confidence as stated by the model. */
                            confidence: number;
                        } | components["schemas"]["FailedImage"])[];
                        summary: components["schemas"]["Summary"];
                        /**
                         * @description Which model was used: the service's, or the one in `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description The name that the model server uses; `local` if no model was involved. */
                        model: string;
                        /** @description Tokens as reported by the model server, including those of failed images; 0 if it reports none. */
                        usage: components["schemas"]["TokenUsage"];
                        /** @description Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit. */
                        quota?: components["schemas"]["AiQuota"];
                    };
                };
            };
            /** @description file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, ai_access_denied, no_saved_ai_key */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rename: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A field that may be left out may also be null, which means the same. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 – 20 images with their names. */
                    images: {
                        /**
                         * @description An image as a Base64 data URI, at most 15 MB decoded.
                         * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                         */
                        data: string;
                        /**
                         * @description The current file name with its extension. It is a hint for the model and is returned unchanged.
                         * @default image
                         */
                        originalName?: string;
                    }[];
                    /** @description Rules for building names. Default: {}. */
                    rules?: {
                        /** @description Words at the start of each name. Letters of other scripts are transliterated to a-z where possible. */
                        prefix?: string;
                        /**
                         * @description Whether names end with the number of their image in the request, from 01; failed images keep their numbers.
                         * @default false
                         */
                        includeSequence?: boolean;
                        /**
                         * @description red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also kebab-case, snake_case, camelCase, PascalCase, title case, lowercase.
                         * @enum {string}
                         */
                        style?: "kebab" | "snake" | "camel" | "pascal" | "title" | "lower";
                    };
                    /** @description Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used. */
                    userProvider?: components["schemas"]["UserProvider"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider. */
                    "X-AI-Limit"?: string;
                    /** @description Images left today; "unlimited" where there is no limit. */
                    "X-AI-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC, as Unix time in seconds. */
                    "X-AI-Reset"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One result for each image, in order. If all images fail, the response is the error of the first. */
                        results: ({
                            /** @description Index of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description The original name as sent. */
                            originalName: string;
                            /** @description A name that is valid on Windows, macOS and Linux: a-z, A-Z, 0-9 and the separators of the style. Names in a response are unique, ignoring case. */
                            newName: string;
                            /** @description The extension of `newName`, without the dot: the original one if it matches the file's format, otherwise that of the format. */
                            extension: string;
                            /** @description Up to three alternative names, with prefix, number and extension. */
                            alternatives: string[];
                            /** @description Confidence as stated by the model. */
                            confidence: number;
                        } | components["schemas"]["FailedImage"])[];
                        summary: components["schemas"]["Summary"];
                        /**
                         * @description Which model was used: the service's, or the one in `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description The name that the model server uses; `local` if no model was involved. */
                        model: string;
                        /** @description Tokens as reported by the model server, including those of failed images; 0 if it reports none. */
                        usage: components["schemas"]["TokenUsage"];
                        /** @description Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit. */
                        quota?: components["schemas"]["AiQuota"];
                    };
                };
            };
            /** @description file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, ai_access_denied, no_saved_ai_key */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    smartCrop: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A field that may be left out may also be null, which means the same. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An image as a Base64 data URI, at most 15 MB decoded.
                     * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                     */
                    image: string;
                    /**
                     * @description Platform names; the default applies to a request without customRatio. Unknown names are listed in `unknownPlatforms` and get no crop.
                     * @default [
                     *       "instagram-square",
                     *       "twitter",
                     *       "facebook",
                     *       "youtube-thumbnail"
                     *     ]
                     */
                    platforms?: string[];
                    /** @description A custom ratio, from 1:20 to 20:1; its crop is called custom. */
                    customRatio?: {
                        width: number;
                        height: number;
                    };
                    /**
                     * @description Whether the response contains the crops as images: in the image's format, or if browsers do not show that, as JPEG, or PNG with transparency.
                     * @default false
                     */
                    returnCroppedImage?: boolean;
                    /** @description Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used. */
                    userProvider?: components["schemas"]["UserProvider"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider. */
                    "X-AI-Limit"?: string;
                    /** @description Images left today; "unlimited" where there is no limit. */
                    "X-AI-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC, as Unix time in seconds. */
                    "X-AI-Reset"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Size of the image as displayed, after EXIF orientation. All other coordinates are in these pixels, from the upper left corner. */
                        image: components["schemas"]["Size"];
                        subject: {
                            /** @description Description by the model; empty without a model. */
                            description: string;
                            /** @description Bounding box of the subject; null if nothing is salient. */
                            box: components["schemas"]["Rectangle"] | null;
                            /** @description The point that crops are centred on where possible. */
                            focalPoint: {
                                x: number;
                                y: number;
                            };
                            /** @description Confidence as stated by the model. Without a model: how much of the salience is inside the box, beyond the box's share of the area. */
                            confidence: number;
                        };
                        crops: {
                            /** @description The name as requested, in lower case; custom for customRatio. */
                            platform: string;
                            /** @description The size that the platform expects. */
                            target: components["schemas"]["Size"];
                            /** @description The largest rectangle of the target's ratio that keeps most of the subject. */
                            crop: components["schemas"]["Rectangle"];
                            /**
                             * @description Only with returnCroppedImage: the crop scaled to the target size, or smaller if it has fewer pixels.
                             * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                             */
                            image?: string;
                        }[];
                        /** @description Only of an HDR source, with a gain map or coded by PQ or HLG. */
                        hdr?: components["schemas"]["HdrResult"];
                        /** @description Only of a source with a C2PA manifest: signed where the result has a new one. */
                        contentCredentials?: components["schemas"]["ContentCredentials"];
                        /** @description Unknown platform names, in lower case. */
                        unknownPlatforms?: string[];
                        /**
                         * @description Which model was used: the service's, or the one in `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description The name that the model server uses; `local` if no model was involved. */
                        model: string;
                        /** @description Tokens as reported by the model server, including those of failed images; 0 if it reports none. */
                        usage: components["schemas"]["TokenUsage"];
                        /** @description Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit. */
                        quota?: components["schemas"]["AiQuota"];
                    };
                };
            };
            /** @description file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, ai_access_denied, no_saved_ai_key */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    enhance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A field that may be left out may also be null, which means the same. */
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An image as a Base64 data URI, at most 15 MB decoded.
                     * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                     */
                    image: string;
                    /**
                     * @description The operation. auto removes noise and blur where there is much of it; upscale doubles width and height, or enlarges by the factor of the operator's model.
                     * @default auto
                     * @enum {string}
                     */
                    mode?: "upscale" | "denoise" | "deblur" | "auto";
                    /**
                     * @description 1: light, 2: medium, 3: strong.
                     * @default 2
                     * @enum {number}
                     */
                    intensity?: 1 | 2 | 3;
                    /**
                     * @description Whether the response contains the enhanced image.
                     * @default true
                     */
                    returnPreview?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider. */
                    "X-AI-Limit"?: string;
                    /** @description Images left today; "unlimited" where there is no limit. */
                    "X-AI-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC, as Unix time in seconds. */
                    "X-AI-Reset"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The operation that was applied; for auto, the operation if it was a single one.
                         * @enum {string}
                         */
                        mode: "upscale" | "denoise" | "deblur" | "auto";
                        /** @enum {string} */
                        requestedMode: "upscale" | "denoise" | "deblur" | "auto";
                        /** @enum {number} */
                        intensity: 1 | 2 | 3;
                        /** @description The steps applied, in order. Empty if nothing would improve the picture: then it is returned unchanged. */
                        operations: {
                            /** @enum {string} */
                            name: "denoise" | "deblur" | "upscale";
                            /** @description The parameters used; they may change between versions. */
                            params: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description For an animation, the size of its first frame; only this frame is enhanced. */
                        original: components["schemas"]["ImageFile"];
                        /** @description In the format of the upload; but a changed HEIC, and a result too large for its format, becomes JPEG, or PNG with transparency. */
                        enhanced: components["schemas"]["ImageFile"];
                        metrics: {
                            /** @description Standard deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3. */
                            noiseBefore: number;
                            /** @description Standard deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3. */
                            noiseAfter: number;
                            /** @description 1 is the maximum at this resolution; photographs have 0.6 to 0.9. */
                            sharpnessBefore: number;
                            /** @description 1 is the maximum at this resolution; photographs have 0.6 to 0.9. */
                            sharpnessAfter: number;
                        };
                        /** @description Only of an HDR source, with a gain map or coded by PQ or HLG. */
                        hdr?: components["schemas"]["HdrResult"];
                        /** @description Only of a source with a C2PA manifest: signed where the result has a new one. */
                        contentCredentials?: components["schemas"]["ContentCredentials"];
                        /**
                         * @description Only with `returnPreview`: the enhanced image.
                         * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                         */
                        image?: string;
                        /**
                         * @description Which model was used: the service's, or the one in `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description The name that the model server uses; `local` if no model was involved. */
                        model: string;
                        /** @description Tokens as reported by the model server, including those of failed images; 0 if it reports none. */
                        usage: components["schemas"]["TokenUsage"];
                        /** @description Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit. */
                        quota?: components["schemas"]["AiQuota"];
                    };
                };
            };
            /** @description file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, ai_access_denied */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, ai_daily_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recommend: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A field that may be left out may also be null, which means the same. */
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 – 20 images with optional information about them. */
                    images: {
                        /**
                         * @description An image as a Base64 data URI, at most 15 MB decoded.
                         * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                         */
                        data: string;
                        /**
                         * @description Returned unchanged in the response.
                         * @default image
                         */
                        filename?: string;
                        /** @description In pixels. The file itself decides; `reasons` reports a difference. */
                        width?: number;
                        /** @description In pixels; see `width`. */
                        height?: number;
                        /** @description In bytes; see `width`. */
                        fileSize?: number;
                        /** @description See `width`. */
                        mimeType?: string;
                    }[];
                    /**
                     * @description The use case, which determines formats, quality and maximum size.
                     * @default general
                     * @enum {string}
                     */
                    useCase?: "web" | "ecommerce" | "social-media" | "print" | "archive" | "general";
                    /** @description Your own model; requires a sign-in. Send apiKey or useAccountKey: true; if both are sent, apiKey is used. */
                    userProvider?: components["schemas"]["UserProvider"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Images for the AI endpoints in a UTC day; "unlimited" where there is no limit. Not with userProvider. */
                    "X-AI-Limit"?: string;
                    /** @description Images left today; "unlimited" where there is no limit. */
                    "X-AI-Remaining"?: string;
                    /** @description When the quota resets: 00:00 UTC, as Unix time in seconds. */
                    "X-AI-Reset"?: string;
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One result for each image, in order. If all images fail, the response is the error of the first. */
                        results: ({
                            /** @description Index of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description The file name as sent. */
                            filename: string;
                            /** @description Format and size detected from the contents of the file; for an animation, the size of one frame. */
                            current: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
                                width: number;
                                height: number;
                                bytes: number;
                            };
                            /** @description The recommended encoding; the unchanged file, with `savedPercent` 0, if nothing is better. */
                            recommended: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
                                /** @description The quality parameter for convert. Null if the result is lossless, the format has no quality (GIF), or the file should stay unchanged. */
                                quality: number | null;
                                width: number;
                                height: number;
                                bytes: number;
                                /** @description Percentage saved relative to the uploaded file; negative if the result is larger. */
                                savedPercent: number;
                            };
                            /** @description The encodings that were tried, best first. */
                            candidates: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp" | "jxl" | "qoi";
                                /** @description The quality parameter for convert. Null if the result is lossless, the format has no quality (GIF), or the file should stay unchanged. */
                                quality: number | null;
                                /** @description Measured by encoding the picture at the recommended size. */
                                bytes: number;
                                /** @description Percentage saved relative to the uploaded file; negative if the result is larger. */
                                savedPercent: number;
                                /** @description Structural similarity (SSIM) to the picture at that size; 1 if no pixel differs. */
                                ssim: number;
                            }[];
                            /** @description Explanations in sentences. */
                            reasons: string[];
                        } | components["schemas"]["FailedImage"])[];
                        summary: components["schemas"]["Summary"];
                        /**
                         * @description Which model was used: the service's, or the one in `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description The name that the model server uses; `local` if no model was involved. */
                        model: string;
                        /** @description Tokens as reported by the model server, including those of failed images; 0 if it reports none. */
                        usage: components["schemas"]["TokenUsage"];
                        /** @description Images used on this UTC day, including this request. Only if `provider` is `platform` and there is a limit. */
                        quota?: components["schemas"]["AiQuota"];
                        /** @enum {string} */
                        useCase: "web" | "ecommerce" | "social-media" | "print" | "archive" | "general";
                    };
                };
            };
            /** @description file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, ai_access_denied, no_saved_ai_key */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited, ai_daily_limit_exceeded, ai_provider_rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_service_unavailable, ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_provider_timeout */
            504: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    callTool: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                    "text/event-stream": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"] | components["schemas"]["JsonRpcError"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Accept names too little. */
            406: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description It is not JSON. */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JsonRpcError"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBatches: {
        parameters: {
            query?: {
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            /** @description The name given by its owner; absent if there is none. */
                            name?: string;
                            /** @description queued and processing are in progress; completed and failed are final. */
                            status: components["schemas"]["BatchStatus"];
                            /**
                             * @description Absent with a recipe.
                             * @enum {string}
                             */
                            format?: "webp" | "avif" | "jpeg" | "png" | "jxl";
                            /** @description Does not apply with visualQuality; absent with a recipe. */
                            quality?: number;
                            /** @description As requested, with its defaults. */
                            recipe?: components["schemas"]["Recipe"];
                            recipeId?: string;
                            /** @description As requested. */
                            visualQuality?: number;
                            /** @description As requested. */
                            maxBytes?: number;
                            /** @description Numbers of images, without other entries. done is succeeded plus failed. */
                            progress: components["schemas"]["BatchProgress"];
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            startedAt?: string;
                            /** Format: date-time */
                            finishedAt?: string;
                            /**
                             * Format: date-time
                             * @description When the result expires: 24 hours after finishedAt.
                             */
                            expiresAt?: string;
                            /** @description The path of the result, while it is available. */
                            resultUrl?: string;
                            /** @description Why the whole batch failed. */
                            error?: components["schemas"]["BatchError"];
                            /** @description Totals of the images converted so far; null while there are none, and after the batch has expired. */
                            inputBytes: number | null;
                            /** @description Bytes of the converted images. */
                            outputBytes: number | null;
                        }[];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    usage: {
        parameters: {
            query?: {
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        plan: components["schemas"]["Plan"];
                        /** @description The UTC month. */
                        period: components["schemas"]["Period"];
                        /** @description Calls of the month, null is unlimited. With pay-as-you-go: credits bought, calls of this month, credits left. With neither plan nor credits: the trial calls of the dashboard (TRIAL_CALLS). */
                        calls: components["schemas"]["PaidCalls"];
                        /** @description Successful calls of the month. */
                        byEndpoint: {
                            endpoint: string;
                            calls: number;
                        }[];
                        /** @description Totals of the month's successful calls, including images of batches and excluding removed backgrounds. */
                        bytes: {
                            /** @description Bytes of the uploaded files. */
                            inputBytes: number;
                            /** @description Bytes of the responses. */
                            outputBytes: number;
                            /** @description inputBytes minus outputBytes; negative if the responses were larger. */
                            savedBytes: number;
                        };
                        /** @description Successful calls and their bytes for each day of the month so far. */
                        daily: {
                            /** Format: date */
                            date: string;
                            calls: number;
                            /** @description Bytes of the uploaded files. */
                            inputBytes: number;
                            /** @description Bytes of the responses. */
                            outputBytes: number;
                            /** @description inputBytes minus outputBytes; negative if the responses were larger. */
                            savedBytes: number;
                        }[];
                        /** @description The latest calls, newest first, successful or not; calls refused by the burst limit are not listed. Status 499 means an AI request whose client disconnected. */
                        recent: components["schemas"]["UsageCall"][];
                        /** @description AI requests do not count as calls; they are counted here and listed among the latest calls. */
                        ai: components["schemas"]["AiUsage"];
                        /** @description Backgrounds removed in this UTC month, including those in progress; null is unlimited. With an API key each removal also counts as a call; with a session it does not, but is listed among the latest calls. */
                        background: components["schemas"]["Quota"];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listCalls: {
        parameters: {
            query?: {
                only?: "failed";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["UsageCall"][];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    credits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Credits of the account; negative only after the refund of a purchase whose credits were spent. */
                        balance: number;
                        /** @description Credits of the balance reserved by calls in progress. */
                        reserved: number;
                        /** @description Packages of credits for sale. */
                        packages: {
                            id: string;
                            credits: number;
                            price: components["schemas"]["Price"];
                        }[];
                        /** @description Whether credits can be bought by POST /api/user/credits/checkout. If not, the administrator grants credits. */
                        forSale: boolean;
                        /** @description The latest 100 entries, newest first; GET /api/v2/credits/ledger has all. */
                        ledger: {
                            id: number;
                            /** @enum {string} */
                            kind: "purchase" | "grant" | "call" | "refund" | "purchase_refund";
                            /** @description Negative when spent. */
                            credits: number;
                            /** @description Balance after this entry. */
                            balance: number;
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listLedger: {
        parameters: {
            query?: {
                only?: "bought";
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description The limits that apply, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            /** @enum {string} */
                            kind: "purchase" | "grant" | "call" | "refund" | "purchase_refund";
                            /** @description Negative when spent. */
                            credits: number;
                            /** @description Balance after this entry. */
                            balance: number;
                            /** Format: date-time */
                            at: string;
                            /** @description For a purchase or its refund: the package and the price paid. */
                            purchase?: {
                                packageId: string;
                                price: components["schemas"]["Price"];
                            };
                        }[];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    buyCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Id of a package from GET /api/v2/credits. */
                    packageId: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description true where this is the answer of an earlier request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * Format: uri
                         * @description The URL to redirect the browser to.
                         */
                        url: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description idempotency_key_reused */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description billing_provider_error */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description billing_not_configured, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showPurchase: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        packageId: string;
                        credits: number;
                        price: components["schemas"]["Price"];
                        /**
                         * @description `pending`: Stripe has not confirmed the payment yet; `paid`: the credits were added.
                         * @enum {string}
                         */
                        status: "pending" | "paid" | "failed" | "expired" | "refunded";
                        /** Format: date-time */
                        createdAt: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    stripeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        received: boolean;
                    };
                };
            };
            /** @description invalid_params, invalid_stripe_signature */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description billing_not_configured, database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description An e-mail address; case and surrounding spaces are ignored.
                     */
                    email: string;
                    /** @description 8 to 256 characters of any kind. Common passwords, repetitions and sequences are refused. */
                    password: string;
                    /** @description At most 100 characters. */
                    name?: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description A session with the same token, for a page of this server: HttpOnly, SameSite=Lax. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A login token, `at_` and 43 characters, shown only once. */
                        token: string;
                        /** Format: date-time */
                        expiresAt: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, sign_up_closed */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description email_taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description An e-mail address; case and surrounding spaces are ignored.
                     */
                    email: string;
                    /** @description The password. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description A session with the same token, for a page of this server: HttpOnly, SameSite=Lax. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description A login token, `at_` and 43 characters, shown only once. */
                        token: string;
                        /** Format: date-time */
                        expiresAt: string;
                        user: components["schemas"]["User"];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description invalid_credentials */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description End all sessions of the account.
                     * @default false
                     */
                    everywhere?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Removes a browser's session. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of login tokens revoked. */
                        signedOut: number;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The password. */
                    password: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Removes a browser's session. */
                    "Set-Cookie"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        deleted: boolean;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token, invalid_credentials */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description last_administrator */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description At most 100 characters. */
                    name?: string;
                    /**
                     * Format: email
                     * @description An e-mail address; case and surrounding spaces are ignored.
                     */
                    email?: string;
                    /** @description 8 to 256 characters of any kind. Common passwords, repetitions and sequences are refused. */
                    password?: string;
                    /** @description Required to change the e-mail address or the password. */
                    currentPassword?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token, invalid_credentials */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description email_taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description Whether this request uses this session. */
                        current: boolean;
                        /** @description The User-Agent at sign-in, up to 200 characters. */
                        from: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description To the minute; null when it was never used. */
                        lastUsedAt: string | null;
                        /** Format: date-time */
                        expiresAt: string;
                    }[];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endOtherSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Number of sessions ended. */
                        signedOut: number;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        deleted: boolean;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"][];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    makeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters, to distinguish it from others. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        name: string;
                        /** @description Its first seven characters. */
                        prefix: string;
                        /** @description Its last four characters. */
                        lastFour: string;
                        /** Format: date-time */
                        createdAt: string;
                        /** @description To the minute; null when it was never used. */
                        lastUsedAt: string | null;
                        /** @description `sk_` and 48 letters and digits. */
                        key: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description too_many_api_keys */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        deleted: boolean;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    renameApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 to 100 characters, to distinguish it from others. */
                    name: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showAi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The server's own model; null if there is none. */
                        platform: {
                            model: string;
                            /** @description Whether the plan includes it. */
                            allowed: boolean;
                        } | null;
                        /** @description Whether accounts can save their own model on this server. */
                        savesKeys: boolean;
                        /** @description The saved model; null if there is none. */
                        saved: components["schemas"]["SavedModel"] | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showAiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedModel"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_key_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    saveAiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                     * @example https://api.openai.com/v1
                     */
                    baseUrl: string;
                    /** @description The name of a model on that server that accepts images. */
                    model: string;
                    /** @description The API key for that server. It is stored encrypted and never shown again. If omitted, the saved key is kept, provided that the address is unchanged. */
                    apiKey?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedModel"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeAiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Always true. */
                        deleted: boolean;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_key_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    tryAiModel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                     * @example https://api.openai.com/v1
                     */
                    baseUrl?: string;
                    /** @description The name of a model on that server that accepts images. */
                    model?: string;
                    /** @description The API key for that server; it is not stored. If omitted, the saved key is used, provided that the address is unchanged. */
                    apiKey?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        ok: true;
                        /** @description The name that the model server uses. */
                        model: string;
                        /** @description Milliseconds until the answer. */
                        ms: number;
                        /** @description The model's description of the picture, a red square on white. */
                        saw: string;
                        /** @description 0 if the server reports none. */
                        usage: components["schemas"]["TokenUsage"];
                    } | {
                        /** @constant */
                        ok: false;
                        /**
                         * @description The `kind` of `ai_provider_error`, or a failure that has its own error identifier on the AI endpoints.
                         * @enum {string}
                         */
                        error: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network" | "rate_limited" | "timeout";
                        /** @description A sentence for users. */
                        message: string;
                        /** @description Milliseconds until the failure. */
                        ms: number;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden, no_saved_ai_key */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ai_key_encryption_disabled, database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `whsec_` and the key in Base64, the format of Standard Webhooks libraries. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description Until then the previous secret signs as well; absent if it no longer does.
                         */
                        previousExpiresAt?: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description `whsec_` and the key in Base64, the format of Standard Webhooks libraries. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description Until then the previous secret signs as well; absent if it no longer does.
                         */
                        previousExpiresAt?: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                batch?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["WebhookDelivery"][];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Accepted */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listUsers: {
        parameters: {
            query?: {
                query?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["ManagedAccount"][];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    addUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: email
                     * @description An e-mail address; case and surrounding spaces are ignored.
                     */
                    email: string;
                    /** @description 8 to 256 characters of any kind. Common passwords, repetitions and sequences are refused. */
                    password: string;
                    /** @description At most 100 characters. */
                    name?: string;
                    /**
                     * @default free
                     * @enum {string}
                     */
                    plan?: "free" | "pro" | "team" | "enterprise";
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description email_taken */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    showAnyUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @description May be empty. */
                        name: string;
                        role: components["schemas"]["Role"];
                        plan: components["schemas"]["Plan"];
                        /** @description Remaining API credits. */
                        credits: number;
                        /** Format: date-time */
                        createdAt: string;
                        disabled: boolean;
                        /** @description Folders and buckets of DELIVERY_FOLDERS and DELIVERY_BUCKETS, or below them, that an administrator has granted. */
                        deliveryPlaces: string[];
                        disabledAt: string | null;
                        /** @description Credits reserved by calls in progress. */
                        reservedCredits: number;
                        /** @description Active sessions. */
                        sessions: number;
                        /** @description Last known use by a call, a session or an API key; to the minute. */
                        lastActiveAt: string | null;
                        /** @description The UTC month. */
                        period: components["schemas"]["Period"];
                        /** @description As in GET /api/v2/usage: calls of the plan, credits, or trial calls; null is unlimited. */
                        calls: components["schemas"]["PaidCalls"];
                        ai: {
                            /** @description Images for the server's own model on this UTC day (AI_DAILY_LIMIT); null is unlimited. */
                            today: components["schemas"]["Quota"];
                            /** @description Totals of the month over all models; cost in US dollars if prices are configured. */
                            month: components["schemas"]["AiSpent"];
                        };
                        /** @description Backgrounds removed in this UTC month (BG_MONTHLY_LIMIT); null is unlimited. */
                        background: components["schemas"]["Quota"];
                        batches: {
                            running: number;
                            imagesWaiting: number;
                        };
                        /** @description API keys that are not revoked, newest first. */
                        keys: components["schemas"]["ApiKey"][];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    changeAnyUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description Takes effect with the next call.
                     * @enum {string}
                     */
                    plan?: "free" | "pro" | "team" | "enterprise";
                    /** @enum {string} */
                    role?: "user" | "admin";
                    /** @description True ends all sessions and refuses all keys; false accepts the keys again. */
                    disabled?: boolean;
                    /** @description Folders and buckets of the operator, or below them, from which the account may deliver. Administrators need no grant. */
                    deliveryPlaces?: string[];
                    /** @description Replaces a forgotten password; ends all sessions. */
                    password?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ManagedAccount"];
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description last_administrator */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    grantCredits: {
        parameters: {
            query?: never;
            header?: {
                /** @description A unique key for each operation. Repeating the same request with the same key within 24 hours returns the first response, so that retries are safe. */
                "Idempotency-Key"?: string;
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    credits: number;
                    /** @description The reason, for the audit log. */
                    note: string;
                };
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description true where this is the answer of an earlier request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Id of the ledger entry. */
                        id: number;
                        credits: number;
                        /** @description The new balance. */
                        balance: number;
                        note: string;
                        /** Format: date-time */
                        at: string;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description idempotency_key_reused */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listAudit: {
        parameters: {
            query?: {
                account?: string;
                cursor?: string;
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            id: number;
                            /** Format: date-time */
                            at: string;
                            /** @enum {string} */
                            action: "first_administrator_made" | "signed_up" | "account_added" | "email_changed" | "password_changed" | "signed_out_everywhere" | "sign_in_ended" | "other_sign_ins_ended" | "account_deleted" | "api_key_made" | "api_key_revoked" | "plan_changed" | "role_changed" | "disabled_changed" | "delivery_places_changed" | "password_set" | "credits_granted" | "webhook_secret_rotated" | "webhook_redelivered" | "ai_key_saved" | "ai_key_removed";
                            /** @description The account that made the change; null for the system or an unauthenticated request. */
                            actor: {
                                /** Format: uuid */
                                id: string;
                                email: string | null;
                            } | null;
                            /** @description The account that the change affects. */
                            account: {
                                /** Format: uuid */
                                id: string;
                                email: string | null;
                            };
                            /** @description Details of the change: old and new values, or credits and note. */
                            details: {
                                [key: string]: unknown;
                            };
                            requestId: string | null;
                            address: string | null;
                        }[];
                        /** @description Send it as cursor to get the next page; null on the last page. */
                        nextCursor: string | null;
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    systemState: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description The most severe concern; notes do not count.
                         * @enum {string}
                         */
                        state: "good" | "warning" | "failing";
                        /** @description Concerns that need attention, the most severe first. */
                        concerns: {
                            /** @enum {string} */
                            part: "server" | "servers" | "database" | "renderers" | "storage" | "batches" | "webhooks" | "ai" | "background" | "models" | "housekeeping" | "settings";
                            /** @enum {string} */
                            level: "failing" | "warning" | "note";
                            text: string;
                        }[];
                        /** Format: date-time */
                        at: string;
                        /** @description The process that answers this request. */
                        server: {
                            version: string;
                            node: string;
                            /** @enum {string} */
                            role: "all" | "api" | "worker";
                            host: string;
                            cores: number;
                            /** @description Number of this server's instance lock. */
                            number: number;
                            /** @description Whether it holds this lock now. */
                            seen: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            /** @description Memory of this process, without its renderers. */
                            memoryBytes: number;
                            /** @description Requests since the start, including pages of the dashboard. */
                            answers: {
                                good: number;
                                /** @description 4xx */
                                refused: number;
                                /** @description 5xx */
                                failed: number;
                            };
                        };
                        /** @description Processes that use this database, including workers. */
                        servers: {
                            number: number;
                            isThis: boolean;
                            /** @description When it connected to the database; null if the database does not report it. */
                            since: string | null;
                            /** @description Client address as the database reports it; null for a local socket. */
                            address: string | null;
                        }[];
                        database: {
                            /** @enum {string} */
                            kind: "embedded" | "external";
                            version: string;
                            /** @description Size of the database on disk. */
                            bytes: number;
                            /** @description Latency of a trivial query, including the wait for a connection. */
                            latencyMs: number;
                            /** @description The connection pool of this process. */
                            connections: {
                                open: number;
                                busy: number;
                                most: number;
                                /** @description Queries waiting for a connection. */
                                waiting: number;
                            };
                        };
                        renderers: {
                            /** @description Number of renderers in sync and in background; long may have one more, model has one. */
                            configured: number;
                            /** @description Whether interactive requests can be processed. */
                            ready: boolean;
                            /** @description Whether new requests are refused with server_busy. */
                            full: boolean;
                            /** @description Memory limit of one renderer. */
                            memoryLimitBytes: number;
                            /** @enum {string} */
                            heicWriter: "heif-enc" | "elheif" | "none";
                            /** @description Whether JPEGs become JPEG XL without loss: the program cjxl is installed. */
                            cjxl: boolean;
                            lanes: {
                                /**
                                 * @description sync: short interactive work; long: long interactive work; background: batches and other background work; model: tasks that run models.
                                 * @enum {string}
                                 */
                                name: "sync" | "long" | "background" | "model";
                                /** @description Processes that are ready; except in sync, they are started on demand. */
                                processes: number;
                                busy: number;
                                /** @description Images waiting for a renderer. */
                                waiting: number;
                                /** @description Maximum number of waiting images; beyond it new ones are refused. sync and long share this limit. Null if unlimited. */
                                mostWaiting: number | null;
                                /** @description Longest current rendering time. */
                                longestSeconds: number;
                                atWork: {
                                    operation: string;
                                    images: number;
                                }[];
                            }[];
                            /** @description Renderers replaced since the start, by reason. */
                            replaced: {
                                reason: string;
                                times: number;
                            }[];
                            /** @description Sandbox measures in effect, and those that this machine lacks. */
                            measures: {
                                holding: string[];
                                lacking: string[];
                            };
                        };
                        storage: {
                            /** @enum {string} */
                            kind: "folder" | "bucket";
                            /** @description DATA_DIR, or the name of the bucket. */
                            place: string;
                            /**
                             * @description silent: no response within a second.
                             * @enum {string}
                             */
                            state: "works" | "fails" | "silent";
                            /** @description The disk of DATA_DIR; null if it is not used. */
                            disk: {
                                bytes: number;
                                freeBytes: number;
                                /** @description Space that files leave free for the database: STORAGE_RESERVE_MB. */
                                reserveBytes: number;
                            } | null;
                        };
                        batches: {
                            /** @description Whether this process converts images of batches. */
                            worksHere: boolean;
                            queued: number;
                            processing: number;
                            images: {
                                waiting: number;
                                atWork: number;
                            };
                            /** @description When the oldest unfinished batch was created. */
                            oldestAt: string | null;
                            /** @description When an unfinished batch last finished an image or was created. */
                            progressAt: string | null;
                            /** @description Seconds since then, by the clock of the database. */
                            stillSeconds: number;
                            /** @description Ended batches whose results are still available. */
                            kept: number;
                        };
                        webhooks: {
                            /** @description Pending deliveries, including those to be retried. */
                            waiting: number;
                            /** @description Pending deliveries whose next attempt is due. */
                            due: number;
                            underWay: number;
                            oldestAt: string | null;
                            /** @description How long the most overdue attempt has been due. */
                            lateSeconds: number;
                        };
                        ai: {
                            /** @description The server's own model; null if none is configured: smart-crop and recommend then work without a model. */
                            model: string | null;
                            /** @description Address of its server, without the path. */
                            server: string | null;
                            /** @description Whether accounts can save their own keys; with DATABASE_URL this requires AI_KEY_ENCRYPTION_SECRET. */
                            savesKeys: boolean;
                            /** @description Questions waiting in the queue. */
                            waiting: {
                                /**
                                 * @description platform: the server's own model; byok: models of callers.
                                 * @enum {string}
                                 */
                                provider: "platform" | "byok";
                                questions: number;
                            }[];
                            /** @description Outcomes of questions since the start. */
                            outcomes: {
                                /**
                                 * @description platform: the server's own model; byok: models of callers.
                                 * @enum {string}
                                 */
                                provider: "platform" | "byok";
                                outcome: string;
                                questions: number;
                            }[];
                        };
                        background: {
                            /** @description In the order in which they are tried. */
                            removers: {
                                /** @enum {string} */
                                name: "external" | "model" | "local";
                                /**
                                 * @description resting: it has failed and is paused for a while.
                                 * @enum {string}
                                 */
                                state: "ready" | "resting" | "loading" | "failed";
                                /** @description For `external`: BG_PROVIDER. */
                                service?: string;
                                restsSeconds?: number;
                                why?: string;
                                /** @description Since the start. */
                                outcomes: {
                                    outcome: string;
                                    pictures: number;
                                }[];
                            }[];
                        };
                        /** @description ONNX models on this machine: BG_MODEL_PATH and SR_MODEL_PATH. */
                        models: {
                            /** @enum {string} */
                            name: "background" | "superResolution";
                            /** @enum {string} */
                            state: "loading" | "ready" | "failed";
                            sha256: string;
                            preset?: string;
                            /** @description Factor by which it enlarges width and height. */
                            factor?: number;
                            why?: string;
                        }[];
                        /** @description For this process since its start. */
                        housekeeping: {
                            failedJobs: {
                                job: string;
                                times: number;
                            }[];
                            /** @description Accounts whose credits differed from their ledger at the last check. */
                            ledgerMismatches: number;
                            /** @description Calls that were charged but are missing in the usage lists. */
                            lostStatistics: number;
                        };
                        /** @description Settings that are set. */
                        settings: {
                            name: string;
                            /** @description Null for secrets and for values that may contain one. */
                            value: string | null;
                            description: string;
                        }[];
                    };
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_login_token, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable, server_busy, storage_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: {
                /** @description Bearer and METRICS_TOKEN. */
                Authorization?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description missing_or_invalid_api_key */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    shrink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /**
                     * Format: binary
                     * @description The image file.
                     */
                    image: string;
                };
                "image/*": string;
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Where the result is. */
                    Location?: string;
                    /** @description Calls of the account in this month. */
                    "Compression-Count"?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        input: {
                            /** @description Bytes. */
                            size: number;
                            type: string;
                        };
                        output: {
                            /** @description Bytes. */
                            size: number;
                            type: string;
                            width: number;
                            height: number;
                            ratio: number;
                            url: string;
                        };
                    };
                };
            };
            /** @description missing_form_data, missing_image_file, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description source_image_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded, too_many_uploads */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description source_unavailable */
            502: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
        };
    };
    showOutput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                output: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description In pixels. */
                    "Image-Width"?: string;
                    /** @description In pixels. */
                    "Image-Height"?: string;
                    /** @description Calls of the account in this month. */
                    "Compression-Count"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description rate_limited */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
        };
    };
    changeOutput: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                output: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    resize?: {
                        /** @constant */
                        method: "scale";
                        width?: number;
                        height?: number;
                    } | {
                        /** @enum {string} */
                        method: "fit" | "cover" | "thumb";
                        width: number;
                        height: number;
                    };
                    convert?: {
                        /** @description image/webp, image/avif, image/jpeg, image/png, image/gif, image/tiff, image/jxl, image/qoi, *\/*, or a list of these, of which the smallest result is sent. Of type string or array. */
                        type: unknown;
                    };
                    transform?: {
                        background?: string;
                    };
                    preserve?: ("copyright" | "creation" | "location")[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description In pixels. */
                    "Image-Width"?: string;
                    /** @description In pixels. */
                    "Image-Height"?: string;
                    /** @description Calls of the account in this month. */
                    "Compression-Count"?: string;
                    /** @description Present if unknown fields of the request were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
                    "image/gif": string;
                    "image/tiff": string;
                    "image/jxl": string;
                    "image/qoi": string;
                };
            };
            /** @description missing_form_data, file_too_large, invalid_image_type, invalid_image, image_too_large, invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description missing_or_invalid_api_key, invalid_or_revoked_api_key, api_access_not_available, invalid_or_expired_login_token */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description insufficient_credits */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description forbidden */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description upload_not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description upload_timeout */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description cannot_fit */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description rate_limited, monthly_limit_exceeded */
            429: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description conversion_failed, internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
            /** @description database_unavailable, server_busy */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TinifyError"];
                };
            };
        };
    };
    reference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    errors: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    guides: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    guide: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    guideSearch: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    llms: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    errorsMarkdown: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    guideMarkdown: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                name: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown": string;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description not_found */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: {
                tags?: ("Images" | "Recipes" | "Delivery" | "Uploads" | "Batch" | "AI" | "Agents" | "Usage" | "Credits" | "Account" | "Webhooks" | "Administration" | "System" | "Tinify" | "Documentation")[];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            /** @description invalid_params */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description internal_error */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description database_unavailable */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "batch.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description The same at every attempt to deliver the event. */
                "webhook-id": string;
                /** @description Of this attempt, in seconds since 1970; refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 HMAC-SHA256 of id, timestamp and body, joined by full stops, with your webhook secret as key; while a secret is being replaced, two signatures separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "batch.completed";
                    /**
                     * Format: date-time
                     * @description When the batch ended.
                     */
                    timestamp: string;
                    /** @description The status body at that time. */
                    data: components["schemas"]["Batch"];
                };
            };
        };
        responses: {
            /** @description Accepted. After any other status except 410 the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "batch.failed": {
        parameters: {
            query?: never;
            header: {
                /** @description The same at every attempt to deliver the event. */
                "webhook-id": string;
                /** @description Of this attempt, in seconds since 1970; refuse what is older than five minutes. */
                "webhook-timestamp": string;
                /** @description `v1,` and the Base64 HMAC-SHA256 of id, timestamp and body, joined by full stops, with your webhook secret as key; while a secret is being replaced, two signatures separated by a space. */
                "webhook-signature": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @constant */
                    type: "batch.failed";
                    /**
                     * Format: date-time
                     * @description When the batch ended.
                     */
                    timestamp: string;
                    /** @description The status body at that time. */
                    data: components["schemas"]["Batch"];
                };
            };
        };
        responses: {
            /** @description Accepted. After any other status except 410 the delivery is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
