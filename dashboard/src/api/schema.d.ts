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
         * @description Animated GIF and WebP stay animated into WebP; into other formats the first frame is used. Colours are converted to sRGB, EXIF orientation is applied, metadata is dropped. Transparency becomes white in JPEG. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
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
         * @description Enlarges if asked. Animated GIF and WebP stay animated. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
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
         * @description Offsets count from the top-left corner of the image as displayed, after EXIF orientation. The format is kept. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
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
         * @description Counts from the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
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
         * @description Counts from the image as displayed, after EXIF orientation. Animated GIF and WebP stay animated. The format is kept. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
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
         * @description The watermark keeps its ratio and never exceeds the base. Every frame of an animation is marked; of an animated watermark the first frame is used. It takes a form only: a body that is an image holds only one.
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
         * @description Several encodings are tried, and the smallest that looks as good as a plain JPEG of the quality is sent: measured on this very picture by SSIM. At 100 no pixel changes. The answer is never larger than the input. In place of a form the body may be the image alone, of a type image/*; the other fields are then parameters of the query.
         */
        post: operations["optimize"];
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
         * @description Answers the subject on transparency. Of an animation the first frame is used; an image that is transparent already is kept as it is. Counts one of the month’s removals, and with an API key one call; nothing where it fails. In place of a form the body may be the image alone, of a type image/*; format is then a parameter of the query.
         */
        post: operations["removeBackground"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
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
         * Show the limits of one archive, and of unfinished batches.
         * @description The operator can change these: check them before a large upload.
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
         * @description The images are converted after the answer. Each converted image costs a call, as if it had been sent alone; one that fails costs nothing. The calls are reserved for all images at once. Entries that are not images are skipped.
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
         * List the entries of the archive with their results so far.
         * @description The entries of the result's manifest, page by page and before there is a result, in the archive's order. Of a batch that failed as well. None are left once the batch has expired.
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
         * @description Events are called progress, completed and failed; the data of each is the status body. The stream ends with the batch. A silent stream has a comment every 15 seconds; an account may have 20 open, and one more is answered 429 rate_limited.
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
         * @description A ZIP of the converted images, in the folders of the archive, and manifest.json (the schema BatchManifest), which says what became of every entry. A download that broke off can be resumed with Range. An account may have 20 open; one of which nothing is taken for a minute is broken off.
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
         * Cancel a batch, and remove it with its files.
         * @description Images that are converted already stay charged; the calls of the others are refunded. No webhook is sent.
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
         * @description A model writes one text for each image, at most 350 characters long in the style descriptive, 160 in seo and 125 in concise; in Chinese, Japanese and Korean 0.6 of that. Each image counts once for the daily quota; those that fail do not.
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
         * Find file names that say what images show.
         * @description A model says in a few English words what each image shows; they become a name of at most 80 characters and its extension. Each image counts once for the daily quota; those that fail do not.
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
         * @description A model says what the subject is and where; without one, or where the service's own fails, it is what stands out from the rest of the picture. Platforms: square, instagram-square, instagram-portrait, instagram-landscape, instagram-grid, instagram-story, instagram-reel, twitter, twitter-card, twitter-header, facebook, facebook-square, facebook-cover, facebook-event, facebook-story, youtube-thumbnail, youtube-banner, linkedin, linkedin-cover, linkedin-company-cover, pinterest, tiktok, threads, whatsapp-status, open-graph, profile.
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
         * Enlarge an image, take away its noise, or sharpen it.
         * @description The pixels tell how much noise and blur there is, and what is done follows from it; a picture that is good is left alone. Images have at most 80 megapixels, those to be enlarged 20. It counts as one image for the daily quota.
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
         * @description Each image is written in every format that suits the use, at the size that it needs: bytes and likeness are measured. A model only judges what kind of picture it is, and where there is none, or that of the service fails, the pixels tell. Each image counts once for the daily quota; those that fail do not.
         */
        post: operations["recommend"];
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
         * Show the usage of this month, and the latest calls.
         * @description Counts of endpoints, days and latest calls are some 100 ms behind the calls; the count of the month is exact.
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
         * @description As in the `recent` of GET /api/v2/usage, page by page: successful or not, AI requests among them, and some 100 ms behind.
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
         * Start the purchase of a package of credits.
         * @description Answers the URL of a page at Stripe where the package is paid for; it is valid for 24 hours. The credits are added when Stripe reports the payment.
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
         * @description Stripe's success page redirects back with the purchase's id in `purchase`. A card payment is confirmed within seconds, a bank transfer within days.
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
         * Receive an event of Stripe.
         * @description For Stripe only, which signs each event in the header Stripe-Signature. Bought credits are added here, once.
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
        /** Create an account on the plan DEFAULT_PLAN, and sign in to it. */
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
         * Get a login token for an e-mail address and its password, for 30 days.
         * @description An unknown address, a wrong password and a disabled account get the same answer. At most ten wrong passwords in 15 minutes are allowed for one address from one network.
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
        /** End this sign-in, or all of the account. */
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
        /** Show who is signed in. */
        get: operations["showUser"];
        put?: never;
        post?: never;
        /**
         * Delete the account for good, with its keys, batches, usage and the credits that are left.
         * @description All sign-ins end at once, and the e-mail address is free for a new account. What accounting needs stays, without name and address: credit ledger, purchases, and the audit log.
         */
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        /** Change name, e-mail address or password. A new password ends all other sign-ins. */
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
        /** List where the account is signed in, the latest use first. */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** End all sign-ins of the account but this one. */
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
        /** End one sign-in: its next request is refused, on every server. */
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
        /** Make an API key. This answer is the only one that shows it. */
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
        /** Revoke an API key: its next call is refused, on every server. */
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
        /** Show which models AI requests of the account may use. */
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
         * @description The first six and the last four characters of the key around eight asterisks; of a key with fewer than 20 characters only asterisks. It is shown also where AI_KEY_ENCRYPTION_SECRET is not set; saving or using a key then answers ai_key_encryption_disabled.
         */
        get: operations["showAiKey"];
        /**
         * Save an AI model of your own with its key, in place of one saved before.
         * @description AI requests use it with `userProvider.useAccountKey`, at this address only. The key is encrypted with AES-256-GCM and never shown again.
         */
        put: operations["saveAiKey"];
        post?: never;
        /** Remove the saved AI model and its key for good. */
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
         * Test an AI model of your own with one small question about a test picture: the saved model, or one before it is saved.
         * @description Errors of its server are reported in the answer, with `ok: false`. It counts for no quota; the model server may charge for tokens. Thirty a minute for an account.
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
         * Show the secret that webhooks are signed with.
         * @description Webhooks follow the standard at standardwebhooks.com; its libraries take the secret as it is.
         */
        get: operations["showWebhookSecret"];
        /**
         * Create a new secret. For 24 hours webhooks are signed with the old one as well.
         * @description Takes no body. A secret older than that stops signing.
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
         * Deliver a webhook again, with the same id and body.
         * @description Whatever its state: it is attempted within seconds. Ten a minute for an account. During an attempt nothing changes.
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
         * Create an account for somebody else.
         * @description Also where `SIGN_UP` is closed. The owner can change the password.
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
         * Show one account: its limits, its usage and its keys.
         * @description No key is shown, only its first and last characters.
         */
        get: operations["showAnyUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the plan, role, state or password of an account.
         * @description What is absent stays as it is. Every change goes into the audit log, with what was there before.
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
         * Show the state of the service, and what needs attention.
         * @description The data of `/readyz` and `/metrics`, what the database knows of all processes, and the settings that are set. It contains no secrets.
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
        /** Whether requests can be served now: 200, or 503 with the part that is missing. */
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
         * @description With METRICS_PORT, on that port only.
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
        /** The text of the guides, for the search of the documentation. */
        get: operations["guideSearch"];
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
        Error: {
            /** @description The HTTP status. */
            statusCode: number;
            /**
             * @description The identifier to branch on.
             * @enum {string}
             */
            statusMessage: "missing_form_data" | "missing_image_file" | "missing_watermark_file" | "missing_archive_file" | "file_too_large" | "invalid_image_type" | "invalid_image" | "image_too_large" | "invalid_archive" | "archive_too_large" | "archive_has_no_images" | "invalid_params" | "invalid_signature" | "bad_request" | "missing_or_invalid_api_key" | "invalid_or_revoked_api_key" | "api_access_not_available" | "missing_or_invalid_login_token" | "invalid_or_expired_login_token" | "invalid_credentials" | "insufficient_credits" | "forbidden" | "ai_access_denied" | "no_saved_ai_key" | "sign_up_closed" | "not_found" | "batch_not_found" | "ai_key_not_found" | "method_not_allowed" | "email_taken" | "last_administrator" | "batch_not_completed" | "batch_failed" | "too_many_api_keys" | "too_many_batches" | "idempotency_key_reused" | "batch_result_expired" | "range_not_satisfiable" | "background_not_separable" | "upload_timeout" | "rate_limited" | "monthly_limit_exceeded" | "background_quota_exceeded" | "ai_daily_limit_exceeded" | "ai_provider_rate_limited" | "conversion_failed" | "internal_error" | "billing_provider_error" | "ai_provider_error" | "billing_not_configured" | "ai_service_unavailable" | "ai_key_encryption_disabled" | "database_unavailable" | "server_busy" | "storage_full" | "storage_unavailable" | "ai_provider_timeout";
            /** @description One sentence for people. */
            message: string;
            /** @description With invalid_params only: each faulty parameter. */
            issues?: {
                path: (string | number)[];
                code: string;
                message: string;
            }[];
            /**
             * @description With ai_provider_error only: how the model server failed.
             * @enum {string}
             */
            kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
            /** @description With background_not_separable only: how sure the last remover was, from 0 to 1. */
            confidence?: number;
            requestId: string;
            /** @description Where this error is explained. */
            docs: string;
        };
        /** @description manifest.json in the result of a batch: each entry of the archive, in the archive's order. */
        BatchManifest: {
            /** @description The entry's path, with / between the segments. */
            source: string;
            /** @description The path of the image in the result; null when there is none. */
            output: string | null;
            /** @enum {string} */
            status: "converted" | "failed" | "skipped";
            /** @description Unpacked. */
            inputBytes: number | null;
            outputBytes: number | null;
            /** @description Of the output, in pixels. */
            width: number | null;
            /** @description Of the output, in pixels. */
            height: number | null;
            /** @description Of what failed: as the endpoint for one image would have answered. */
            error?: {
                code: string;
                message: string;
            };
        }[];
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
                     * @description Output format; jpg is taken as jpeg.
                     * @default webp
                     * @enum {string}
                     */
                    format?: "webp" | "avif" | "jpeg" | "png";
                    /**
                     * @description The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
                     * @default 75
                     */
                    quality?: number;
                    /** @description Output width in pixels; alone, the aspect ratio is kept. */
                    width?: number;
                    /** @description Output height in pixels; alone, the aspect ratio is kept. */
                    height?: number;
                    /**
                     * @description How the image is fitted into width × height: cover crops, contain adds a border, fill stretches, inside and outside keep the ratio.
                     * @default inside
                     * @enum {string}
                     */
                    fit?: "cover" | "contain" | "fill" | "inside" | "outside";
                    /**
                     * @description Convert to shades of grey.
                     * @default false
                     */
                    grayscale?: boolean;
                    /** @description Blur radius: the sigma of a Gaussian, in output pixels. */
                    blur?: number;
                    /**
                     * @description Degrees clockwise. Other than quarter turns fill with transparent, or white in JPEG.
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                    "image/avif": string;
                    "image/jpeg": string;
                    "image/png": string;
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
                     * @enum {string}
                     */
                    fit?: "cover" | "contain" | "fill" | "inside" | "outside";
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Only where not all of the file is in the answer: identifiers, separated by commas. first_frame_only: The file is animated; the answer has only its first frame. first_page_only: The file has several pages; the answer has only the first. later_frames_damaged: A later frame of the animation is damaged; the answer ends with the frame before it. */
                    "X-Image-Warnings"?: string;
                    /** @description Only where the format could not be kept, since nothing here can write it: heic->jpeg or heic->png. */
                    "X-Format-Fallback"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description Who removed it: external (a service), model, or local. */
                    "X-Background-Removal"?: string;
                    /** @description How likely the cut-out is right, from 0.00 to 1.00. */
                    "X-Background-Confidence"?: string;
                    /** @description Monthly API call limit; "unlimited" on Enterprise; credits bought when paying as you go; with a sign-in the same as X-Background-Limit. */
                    "X-RateLimit-Limit"?: string;
                    /** @description Remaining API calls this month; credits left when paying as you go; with a sign-in the same as X-Background-Remaining. */
                    "X-RateLimit-Remaining"?: string;
                    /** @description Credits left, when paying as you go. */
                    "X-Credits-Remaining"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Backgrounds that the account may have removed in a UTC month; "unlimited" where there is no limit. */
                    "X-Background-Limit"?: string;
                    /** @description Removals left this month; "unlimited" where there is no limit. */
                    "X-Background-Remaining"?: string;
                    /** @description When the count starts anew: 00:00 UTC of the first of the next month, in seconds since 1970 (Unix time). */
                    "X-Background-Reset"?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Of the ZIP. */
                        archiveBytes: number;
                        /** @description Files in it; folders and what macOS puts beside each file do not count. */
                        entries: number;
                        /** @description Of all files together. */
                        unpackedBytes: number;
                        /** @description Batches of one account that have not ended. */
                        accountBatches: number;
                        /** @description Of the archives of these batches together. */
                        accountBytes: number;
                        /** @description Of one image; a larger one fails alone. */
                        imageBytes: number;
                        /** @description Of one image, all frames counted; a larger one fails alone. */
                        imagePixels: number;
                    };
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
                /** @description A key of your choice, new for each request: the same request under it gives the first answer again for 24 hours, so that you may safely try again. */
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
                    file: string;
                    /**
                     * @description Output format of every image; jpg is taken as jpeg.
                     * @default webp
                     * @enum {string}
                     */
                    format?: "webp" | "avif" | "jpeg" | "png";
                    /**
                     * @description The same number looks alike in every format. PNG is lossless unless a quality below 100 is sent.
                     * @default 75
                     */
                    quality?: number;
                    /** @description What to call the batch, 1 to 100 characters; names its download. */
                    name?: string;
                    /** @description An http or https address that is called when the batch is completed or has failed; docs/webhooks.md has how. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    /** @description Only where the request has fields that are not known here and were ignored: their names, such as qualtiy. At most 8, of 40 characters each; a character other than letters, digits, "_", "-", "." and "[]" is shown as "?". */
                    "X-Unknown-Fields"?: string;
                    /** @description true where this is the answer of an earlier request with the same Idempotency-Key. */
                    "Idempotency-Replayed"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description What its owner calls it; absent where it was sent without a name. */
                        name?: string;
                        /**
                         * @description queued and processing are under way; completed and failed are its end.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "failed";
                        /** @enum {string} */
                        format: "webp" | "avif" | "jpeg" | "png";
                        quality: number;
                        /** @description Images; entries that are none do not count. done is succeeded and failed together. */
                        progress: {
                            total: number;
                            done: number;
                            succeeded: number;
                            failed: number;
                            percent: number;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        startedAt?: string;
                        /** Format: date-time */
                        finishedAt?: string;
                        /**
                         * Format: date-time
                         * @description Until when there is a result: 24 hours after finishedAt.
                         */
                        expiresAt?: string;
                        /** @description The path of the result, while there is one. */
                        resultUrl?: string;
                        /** @description Why it failed as a whole. */
                        error?: {
                            /** @description An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged. */
                            code: string;
                            message: string;
                        };
                    };
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        /** @description What its owner calls it; absent where it was sent without a name. */
                        name?: string;
                        /**
                         * @description queued and processing are under way; completed and failed are its end.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "failed";
                        /** @enum {string} */
                        format: "webp" | "avif" | "jpeg" | "png";
                        quality: number;
                        /** @description Images; entries that are none do not count. done is succeeded and failed together. */
                        progress: {
                            total: number;
                            done: number;
                            succeeded: number;
                            failed: number;
                            percent: number;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        startedAt?: string;
                        /** Format: date-time */
                        finishedAt?: string;
                        /**
                         * Format: date-time
                         * @description Until when there is a result: 24 hours after finishedAt.
                         */
                        expiresAt?: string;
                        /** @description The path of the result, while there is one. */
                        resultUrl?: string;
                        /** @description Why it failed as a whole. */
                        error?: {
                            /** @description An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged. */
                            code: string;
                            message: string;
                        };
                    };
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
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
                            /** @description Of what failed: as the endpoint for one image would have answered. */
                            error?: {
                                code: string;
                                message: string;
                            };
                            /** @description Its place in the archive, from 0. */
                            seq: number;
                        }[];
                        /** @description Of all entries, whatever is listed; the bytes are those of the converted ones. */
                        totals: {
                            pending: number;
                            converted: number;
                            failed: number;
                            skipped: number;
                            inputBytes: number;
                            outputBytes: number;
                        };
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
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
            /** @description Last-Event-ID is that of the last event: there is no more to come, and EventSource stops. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The part that Range asked for. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description The result is the one that If-None-Match named. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        deleted: true;
                    };
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 – 10 images as Base64 data URIs. */
                    images: string[];
                    /**
                     * @description Language of the texts, by its ISO 639-1 code.
                     * @default en
                     * @enum {string}
                     */
                    language?: "en" | "zh" | "es" | "fr" | "de" | "ja" | "ko" | "pt" | "it";
                    /**
                     * @description Whole sentences, one short phrase, or a sentence that search engines like.
                     * @default descriptive
                     * @enum {string}
                     */
                    style?: "descriptive" | "concise" | "seo";
                    /** @description A model of your own, for those who are signed in. apiKey or useAccountKey: true is needed; of both, apiKey is used. */
                    userProvider?: {
                        /**
                         * Format: uri
                         * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                         * @example https://api.openai.com/v1
                         */
                        baseUrl: string;
                        /** @description A model there that takes images, as that server calls it. */
                        model: string;
                        /** @description API key for that server. It is used for this request and not kept. */
                        apiKey?: string;
                        /** @description Use the key that is saved on the account (PUT /api/user/ai-key), for the address that it was saved for. */
                        useAccountKey?: boolean;
                    };
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
                    /** @description When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time). */
                    "X-AI-Reset"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each image, in their order. When all fail, the answer is the first one's error instead. */
                        results: ({
                            /** @description Place of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description Plain text: escape it where you put it into HTML. Empty for a decorative image, as `alt=""` says it. */
                            altText: string;
                            /** @enum {string} */
                            language: "en" | "zh" | "es" | "fr" | "de" | "ja" | "ko" | "pt" | "it";
                            /** @enum {string} */
                            style: "descriptive" | "concise" | "seo";
                            /** @description Whether the image says nothing that its page should say in words. */
                            decorative: boolean;
                            /** @description Text that can be read in the image, in its own language. */
                            textInImage: string | null;
                            /** @description How sure the model says it is. */
                            confidence: number;
                        } | {
                            index: number;
                            /** @constant */
                            status: "error";
                            error: {
                                /**
                                 * @description As for a request that fails as a whole.
                                 * @enum {string}
                                 */
                                code: "invalid_image_type" | "invalid_image" | "image_too_large" | "conversion_failed" | "server_busy" | "invalid_params" | "ai_service_unavailable" | "ai_provider_rate_limited" | "ai_provider_error" | "ai_provider_timeout";
                                /** @description For people. */
                                message: string;
                                /**
                                 * @description With ai_provider_error.
                                 * @enum {string}
                                 */
                                kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
                            };
                        })[];
                        summary: {
                            total: number;
                            succeeded: number;
                            failed: number;
                        };
                        /**
                         * @description Whose model it was: the service's, or the one of `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description As its server calls it; `local` where no model had a part in the answer. */
                        model: string;
                        /** @description Tokens as the model server counts them, those of images that failed among them; 0 where it does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                        /** @description Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit. */
                        quota?: {
                            limit: number;
                            used: number;
                            remaining: number;
                            /** Format: date-time */
                            resetsAt: string;
                        };
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
                         * @description What the file is called now, with its extension. It is a hint to the model, and comes back as it was sent.
                         * @default image
                         */
                        originalName?: string;
                    }[];
                    /**
                     * @description How names are put together.
                     * @default {}
                     */
                    rules?: {
                        /** @description Words in front of each name. Letters of other scripts become a-z where they can. */
                        prefix?: string;
                        /**
                         * @description Whether names end in the place of their image in the request, from 01; an image that fails keeps its number.
                         * @default false
                         */
                        includeSequence?: boolean;
                        /**
                         * @description red-bicycle, red_bicycle, redBicycle, RedBicycle, Red Bicycle or redbicycle. Also kebab-case, snake_case, camelCase, PascalCase, title case, lowercase.
                         * @enum {string}
                         */
                        style?: "kebab" | "snake" | "camel" | "pascal" | "title" | "lower";
                    };
                    /** @description A model of your own, for those who are signed in. apiKey or useAccountKey: true is needed; of both, apiKey is used. */
                    userProvider?: {
                        /**
                         * Format: uri
                         * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                         * @example https://api.openai.com/v1
                         */
                        baseUrl: string;
                        /** @description A model there that takes images, as that server calls it. */
                        model: string;
                        /** @description API key for that server. It is used for this request and not kept. */
                        apiKey?: string;
                        /** @description Use the key that is saved on the account (PUT /api/user/ai-key), for the address that it was saved for. */
                        useAccountKey?: boolean;
                    };
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
                    /** @description When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time). */
                    "X-AI-Reset"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each image, in their order. When all fail, the answer is the first one's error instead. */
                        results: ({
                            /** @description Place of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description As it was sent. */
                            originalName: string;
                            /** @description A name of a-z, A-Z, 0-9, and what the style puts between words, that Windows, macOS and Linux take. No two of an answer are equal, whatever their case. */
                            newName: string;
                            /** @description Of `newName`, without the dot: that of the original name where it fits the bytes, else what the bytes are. */
                            extension: string;
                            /** @description Up to three other names, with prefix, number and extension: any may be taken instead. */
                            alternatives: string[];
                            /** @description How sure the model says it is. */
                            confidence: number;
                        } | {
                            index: number;
                            /** @constant */
                            status: "error";
                            error: {
                                /**
                                 * @description As for a request that fails as a whole.
                                 * @enum {string}
                                 */
                                code: "invalid_image_type" | "invalid_image" | "image_too_large" | "conversion_failed" | "server_busy" | "invalid_params" | "ai_service_unavailable" | "ai_provider_rate_limited" | "ai_provider_error" | "ai_provider_timeout";
                                /** @description For people. */
                                message: string;
                                /**
                                 * @description With ai_provider_error.
                                 * @enum {string}
                                 */
                                kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
                            };
                        })[];
                        summary: {
                            total: number;
                            succeeded: number;
                            failed: number;
                        };
                        /**
                         * @description Whose model it was: the service's, or the one of `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description As its server calls it; `local` where no model had a part in the answer. */
                        model: string;
                        /** @description Tokens as the model server counts them, those of images that failed among them; 0 where it does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                        /** @description Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit. */
                        quota?: {
                            limit: number;
                            used: number;
                            remaining: number;
                            /** Format: date-time */
                            resetsAt: string;
                        };
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
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An image as a Base64 data URI, at most 15 MB decoded.
                     * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                     */
                    image: string;
                    /**
                     * @description Names of platforms; the default is for a request without customRatio. Unknown ones are named in `unknownPlatforms` and get no crop.
                     * @default [
                     *       "instagram-square",
                     *       "twitter",
                     *       "facebook",
                     *       "youtube-thumbnail"
                     *     ]
                     */
                    platforms?: string[];
                    /** @description A ratio of your own, from 1:20 to 20:1; its crop is called custom. */
                    customRatio?: {
                        width: number;
                        height: number;
                    };
                    /**
                     * @description Whether the answer has the crops as images: in the image's format, or as JPEG, or PNG with transparency, where pages do not show that.
                     * @default false
                     */
                    returnCroppedImage?: boolean;
                    /** @description A model of your own, for those who are signed in. apiKey or useAccountKey: true is needed; of both, apiKey is used. */
                    userProvider?: {
                        /**
                         * Format: uri
                         * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                         * @example https://api.openai.com/v1
                         */
                        baseUrl: string;
                        /** @description A model there that takes images, as that server calls it. */
                        model: string;
                        /** @description API key for that server. It is used for this request and not kept. */
                        apiKey?: string;
                        /** @description Use the key that is saved on the account (PUT /api/user/ai-key), for the address that it was saved for. */
                        useAccountKey?: boolean;
                    };
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
                    /** @description When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time). */
                    "X-AI-Reset"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Pixels of the image as displayed, after EXIF orientation. All other places are in these pixels, from the upper left corner. */
                        image: {
                            width: number;
                            height: number;
                        };
                        subject: {
                            /** @description What the model says it is; empty where none did. */
                            description: string;
                            /** @description Around the subject; null where nothing stands out. */
                            box: {
                                x: number;
                                y: number;
                                width: number;
                                height: number;
                            } | null;
                            /** @description What crops have in their middle where they can. */
                            focalPoint: {
                                x: number;
                                y: number;
                            };
                            /** @description How sure the model says it is. Without one: how far what stands out is in the box, beyond its share of the area. */
                            confidence: number;
                        };
                        crops: {
                            /** @description As it was asked for, in lower case; custom for customRatio. */
                            platform: string;
                            /** @description What the platform wants. */
                            target: {
                                width: number;
                                height: number;
                            };
                            /** @description The largest rectangle of the target's ratio that keeps most of the subject. */
                            crop: {
                                x: number;
                                y: number;
                                width: number;
                                height: number;
                            };
                            /**
                             * @description With returnCroppedImage: the crop in the size of the target, or smaller if it has fewer pixels.
                             * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                             */
                            image?: string;
                        }[];
                        /** @description Names that are not known here, in lower case. */
                        unknownPlatforms?: string[];
                        /**
                         * @description Whose model it was: the service's, or the one of `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description As its server calls it; `local` where no model had a part in the answer. */
                        model: string;
                        /** @description Tokens as the model server counts them, those of images that failed among them; 0 where it does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                        /** @description Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit. */
                        quota?: {
                            limit: number;
                            used: number;
                            remaining: number;
                            /** Format: date-time */
                            resetsAt: string;
                        };
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
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * @description An image as a Base64 data URI, at most 15 MB decoded.
                     * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                     */
                    image: string;
                    /**
                     * @description What is to be done. auto takes away noise and blur where there is much of it; upscale doubles width and height, or as a model does that the operator has set.
                     * @default auto
                     * @enum {string}
                     */
                    mode?: "upscale" | "denoise" | "deblur" | "auto";
                    /**
                     * @description 1 is light, 2 medium, 3 strong.
                     * @default 2
                     * @enum {number}
                     */
                    intensity?: 1 | 2 | 3;
                    /**
                     * @description Whether the answer has the enhanced image.
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
                    /** @description When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time). */
                    "X-AI-Reset"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @description What was done; of auto, the operation where it was a single one.
                         * @enum {string}
                         */
                        mode: "upscale" | "denoise" | "deblur" | "auto";
                        /** @enum {string} */
                        requestedMode: "upscale" | "denoise" | "deblur" | "auto";
                        /** @enum {number} */
                        intensity: 1 | 2 | 3;
                        /** @description What was done, in order. Empty where nothing would have made the picture better: then it stays as it was sent. */
                        operations: {
                            /** @enum {string} */
                            name: "denoise" | "deblur" | "upscale";
                            /** @description The numbers it was done with; they may change with the version. */
                            params: {
                                [key: string]: unknown;
                            };
                        }[];
                        /** @description Of an animation, the size of its first frame, which alone is enhanced. */
                        original: {
                            width: number;
                            height: number;
                            bytes: number;
                            /** @enum {string} */
                            format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp";
                        };
                        /** @description In the format that came; but HEIC that was changed, and what is too long for its format, becomes JPEG, or PNG with transparency. */
                        enhanced: {
                            width: number;
                            height: number;
                            bytes: number;
                            /** @enum {string} */
                            format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp";
                        };
                        metrics: {
                            /** @description Deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3. */
                            noiseBefore: number;
                            /** @description Deviation of the brightness, 0 – 255; a sharp photograph without noise has up to 3. */
                            noiseAfter: number;
                            /** @description 1 is as sharp as pixels can be; photographs have 0.6 to 0.9. */
                            sharpnessBefore: number;
                            /** @description 1 is as sharp as pixels can be; photographs have 0.6 to 0.9. */
                            sharpnessAfter: number;
                        };
                        /**
                         * @description With `returnPreview`: the whole enhanced image.
                         * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                         */
                        image?: string;
                        /**
                         * @description Whose model it was: the service's, or the one of `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description As its server calls it; `local` where no model had a part in the answer. */
                        model: string;
                        /** @description Tokens as the model server counts them, those of images that failed among them; 0 where it does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                        /** @description Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit. */
                        quota?: {
                            limit: number;
                            used: number;
                            remaining: number;
                            /** Format: date-time */
                            resetsAt: string;
                        };
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
        requestBody: {
            content: {
                "application/json": {
                    /** @description 1 – 20 images, and what is known of them. */
                    images: {
                        /**
                         * @description An image as a Base64 data URI, at most 15 MB decoded.
                         * @example data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mPoAAAAigCJUps7QwAAAABJRU5ErkJggg==
                         */
                        data: string;
                        /**
                         * @description It comes back as it was sent.
                         * @default image
                         */
                        filename?: string;
                        /** @description In pixels. What the file says counts; where this differs, `reasons` says so. */
                        width?: number;
                        /** @description In pixels; as `width`. */
                        height?: number;
                        /** @description In bytes; as `width`. */
                        fileSize?: number;
                        /** @description As `width`. */
                        mimeType?: string;
                    }[];
                    /**
                     * @description What they are for: it decides formats, quality and largest size.
                     * @default general
                     * @enum {string}
                     */
                    useCase?: "web" | "ecommerce" | "social-media" | "print" | "archive" | "general";
                    /** @description A model of your own, for those who are signed in. apiKey or useAccountKey: true is needed; of both, apiKey is used. */
                    userProvider?: {
                        /**
                         * Format: uri
                         * @description Base address of an OpenAI-compatible server, such as https://api.openai.com/v1.
                         * @example https://api.openai.com/v1
                         */
                        baseUrl: string;
                        /** @description A model there that takes images, as that server calls it. */
                        model: string;
                        /** @description API key for that server. It is used for this request and not kept. */
                        apiKey?: string;
                        /** @description Use the key that is saved on the account (PUT /api/user/ai-key), for the address that it was saved for. */
                        useAccountKey?: boolean;
                    };
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
                    /** @description When the count starts anew: 00:00 UTC, in seconds since 1970 (Unix time). */
                    "X-AI-Reset"?: string;
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description One for each image, in their order. When all fail, the answer is the first one's error instead. */
                        results: ({
                            /** @description Place of the image in the request, from 0. */
                            index: number;
                            /** @constant */
                            status: "ok";
                            /** @description As it was sent. */
                            filename: string;
                            /** @description What the file is, by its bytes; of an animation, the size of one frame. */
                            current: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp";
                                width: number;
                                height: number;
                                bytes: number;
                            };
                            /** @description The file as it is, with `savedPercent` 0, where nothing is better. */
                            recommended: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp";
                                /** @description As convert takes it. Null: without loss, or (GIF) the format has none, or the file stays as it is. */
                                quality: number | null;
                                width: number;
                                height: number;
                                bytes: number;
                                /** @description Of the bytes of the file as it came; negative where it grows. */
                                savedPercent: number;
                            };
                            /** @description What was tried, best first. */
                            candidates: {
                                /** @enum {string} */
                                format: "webp" | "avif" | "jpeg" | "png" | "gif" | "tiff" | "heic" | "bmp";
                                /** @description As convert takes it. Null: without loss, or (GIF) the format has none, or the file stays as it is. */
                                quality: number | null;
                                /** @description Measured: the picture was written at the recommended size. */
                                bytes: number;
                                /** @description Of the bytes of the file as it came; negative where it grows. */
                                savedPercent: number;
                                /** @description Structural similarity to the picture at that size; 1 where no pixel differs. */
                                ssim: number;
                            }[];
                            /** @description Sentences for people. */
                            reasons: string[];
                        } | {
                            index: number;
                            /** @constant */
                            status: "error";
                            error: {
                                /**
                                 * @description As for a request that fails as a whole.
                                 * @enum {string}
                                 */
                                code: "invalid_image_type" | "invalid_image" | "image_too_large" | "conversion_failed" | "server_busy" | "invalid_params" | "ai_service_unavailable" | "ai_provider_rate_limited" | "ai_provider_error" | "ai_provider_timeout";
                                /** @description For people. */
                                message: string;
                                /**
                                 * @description With ai_provider_error.
                                 * @enum {string}
                                 */
                                kind?: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network";
                            };
                        })[];
                        summary: {
                            total: number;
                            succeeded: number;
                            failed: number;
                        };
                        /**
                         * @description Whose model it was: the service's, or the one of `userProvider`.
                         * @enum {string}
                         */
                        provider: "platform" | "byok";
                        /** @description As its server calls it; `local` where no model had a part in the answer. */
                        model: string;
                        /** @description Tokens as the model server counts them, those of images that failed among them; 0 where it does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                        /** @description Images of the UTC day, after this request. With `provider` platform only, and not where there is no limit. */
                        quota?: {
                            limit: number;
                            used: number;
                            remaining: number;
                            /** Format: date-time */
                            resetsAt: string;
                        };
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
                            /** @description What its owner calls it; absent where it was sent without a name. */
                            name?: string;
                            /**
                             * @description queued and processing are under way; completed and failed are its end.
                             * @enum {string}
                             */
                            status: "queued" | "processing" | "completed" | "failed";
                            /** @enum {string} */
                            format: "webp" | "avif" | "jpeg" | "png";
                            quality: number;
                            /** @description Images; entries that are none do not count. done is succeeded and failed together. */
                            progress: {
                                total: number;
                                done: number;
                                succeeded: number;
                                failed: number;
                                percent: number;
                            };
                            /** Format: date-time */
                            createdAt: string;
                            /** Format: date-time */
                            startedAt?: string;
                            /** Format: date-time */
                            finishedAt?: string;
                            /**
                             * Format: date-time
                             * @description Until when there is a result: 24 hours after finishedAt.
                             */
                            expiresAt?: string;
                            /** @description The path of the result, while there is one. */
                            resultUrl?: string;
                            /** @description Why it failed as a whole. */
                            error?: {
                                /** @description An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged. */
                                code: string;
                                message: string;
                            };
                            /** @description Of the images that were converted so far; null while there are none, and once the batch has expired. */
                            inputBytes: number | null;
                            /** @description Of what they were converted to. */
                            outputBytes: number | null;
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description The UTC month. */
                        period: {
                            /** Format: date-time */
                            start: string;
                            /** Format: date-time */
                            end: string;
                        };
                        /** @description The month's calls, null is unlimited; when paying as you go the credits bought, this month's calls, the credits left; with neither plan nor credits the calls for trying in the dashboard (TRIAL_CALLS). */
                        calls: {
                            /**
                             * @description What pays for a call.
                             * @enum {string}
                             */
                            by: "plan" | "credits" | "trial";
                            limit: number | null;
                            used: number;
                            remaining: number | null;
                        };
                        /** @description Successful calls of the month. */
                        byEndpoint: {
                            endpoint: string;
                            calls: number;
                        }[];
                        /** @description Of the successful calls of the month and of the images of its batches; removed backgrounds are left out. */
                        bytes: {
                            /** @description Of the files that were sent. */
                            inputBytes: number;
                            /** @description Of the answers. */
                            outputBytes: number;
                            /** @description inputBytes less outputBytes; below zero where answers were larger. */
                            savedBytes: number;
                        };
                        /** @description Successful calls and their bytes of each day of the month so far. */
                        daily: {
                            /** Format: date */
                            date: string;
                            calls: number;
                            /** @description Of the files that were sent. */
                            inputBytes: number;
                            /** @description Of the answers. */
                            outputBytes: number;
                            /** @description inputBytes less outputBytes; below zero where answers were larger. */
                            savedBytes: number;
                        }[];
                        /** @description The latest calls, newest first, successful or not; what the burst limit refused is not among them. The status 499 stands for an AI request whose client had gone. */
                        recent: {
                            /** Format: uuid */
                            id: string;
                            endpoint: string;
                            status: number;
                            statusMessage?: string;
                            /** @description What `statusMessage` means. The answer itself may have been more specific. */
                            message?: string;
                            /** @description The name of the API key; absent for a call with a sign-in. */
                            key?: string;
                            inputBytes: number;
                            outputBytes: number;
                            durationMs: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Of a request to an AI endpoint: what it has used, also when it failed. */
                            ai?: {
                                /** @enum {string} */
                                provider: "platform" | "byok";
                                model: string;
                                /** @description Images that were answered. */
                                images: number;
                                inputTokens: number;
                                outputTokens: number;
                                /** @description US dollars, of the server's own model where its prices are set. */
                                cost?: number;
                            };
                        }[];
                        /** @description AI requests are not calls: nothing else here counts them, except that they are listed among the latest. */
                        ai: {
                            /** @description Images of the UTC day for the server's own model, those under way among them; null is unlimited. */
                            today: {
                                limit: number | null;
                                used: number;
                                remaining: number | null;
                                /**
                                 * Format: date-time
                                 * @description The next 00:00 UTC.
                                 */
                                resetsAt: string;
                            };
                            /** @description All models of the month together. */
                            month: {
                                /** @description Images that were answered. */
                                images: number;
                                inputTokens: number;
                                outputTokens: number;
                                /** @description US dollars, of the server's own model where its prices are set. */
                                cost?: number;
                            };
                        };
                        /** @description Backgrounds removed in the UTC month, those under way among them; null is unlimited. With an API key each is a call as well; with a sign-in it is none, and only listed among the latest. */
                        background: {
                            limit: number | null;
                            used: number;
                            remaining: number | null;
                            /**
                             * Format: date-time
                             * @description 00:00 UTC of the first of the next month.
                             */
                            resetsAt: string;
                        };
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** Format: uuid */
                            id: string;
                            endpoint: string;
                            status: number;
                            statusMessage?: string;
                            /** @description What `statusMessage` means. The answer itself may have been more specific. */
                            message?: string;
                            /** @description The name of the API key; absent for a call with a sign-in. */
                            key?: string;
                            inputBytes: number;
                            outputBytes: number;
                            durationMs: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Of a request to an AI endpoint: what it has used, also when it failed. */
                            ai?: {
                                /** @enum {string} */
                                provider: "platform" | "byok";
                                model: string;
                                /** @description Images that were answered. */
                                images: number;
                                inputTokens: number;
                                outputTokens: number;
                                /** @description US dollars, of the server's own model where its prices are set. */
                                cost?: number;
                            };
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
                    "RateLimit-Policy"?: string;
                    /** @description What is left of them: r now, and in t seconds more, for example "burst";r=29;t=60, "month";r=49999;t=1036800. */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description Credits of the account; below zero only after the refund of a purchase that was spent. */
                        balance: number;
                        /** @description Of the balance, held by calls whose answer is under way. */
                        reserved: number;
                        /** @description Credits that can be bought. */
                        packages: {
                            id: string;
                            credits: number;
                            price: {
                                /** @description In the currency's smallest unit: 900 is 9.00 USD. */
                                amount: number;
                                /** @description ISO 4217 in small letters. */
                                currency: string;
                            };
                        }[];
                        /** @description Whether they are sold here: by POST /api/user/credits/checkout. Else the administrator grants credits. */
                        forSale: boolean;
                        /** @description The latest 100 entries, newest first; GET /api/v2/credits/ledger has all. */
                        ledger: {
                            id: number;
                            /** @enum {string} */
                            kind: "purchase" | "grant" | "call" | "refund" | "purchase_refund";
                            /** @description Negative when spent. */
                            credits: number;
                            /** @description What the account had after this entry. */
                            balance: number;
                            /** Format: date-time */
                            at: string;
                        }[];
                    };
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
                    /** @description The limits that hold, by name: q requests or calls in w seconds, for example "burst";q=30;w=60, "month";q=50000;w=2592000. */
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
                            /** @description What the account had after this entry. */
                            balance: number;
                            /** Format: date-time */
                            at: string;
                            /** @description Of a purchase or its refund: what was bought, at the price of that day. */
                            purchase?: {
                                packageId: string;
                                price: {
                                    /** @description In the currency's smallest unit: 900 is 9.00 USD. */
                                    amount: number;
                                    /** @description ISO 4217 in small letters. */
                                    currency: string;
                                };
                            };
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                /** @description A key of your choice, new for each request: the same request under it gives the first answer again for 24 hours, so that you may safely try again. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description One of the packages of GET /api/v2/credits. */
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
                         * @description Where to send the browser.
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
                        price: {
                            /** @description In the currency's smallest unit: 900 is 9.00 USD. */
                            amount: number;
                            /** @description ISO 4217 in small letters. */
                            currency: string;
                        };
                        /**
                         * @description `pending`: Stripe has not yet said that it is paid; `paid`: the credits are there.
                         * @enum {string}
                         */
                        status: "pending" | "paid" | "failed" | "expired" | "refunded";
                        /** Format: date-time */
                        createdAt: string;
                    };
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
                        /** @constant */
                        received: true;
                    };
                };
            };
            /** @description invalid_params, invalid_signature */
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
                     * @description An e-mail address; capitals and spaces around it do not count.
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
                        /** @description A login token, `at_` and 43 characters, shown this once. */
                        token: string;
                        /** Format: date-time */
                        expiresAt: string;
                        user: {
                            /** Format: uuid */
                            id: string;
                            email: string;
                            /** @description May be empty. */
                            name: string;
                            /** @enum {string} */
                            role: "user" | "admin";
                            /** @enum {string} */
                            plan: "free" | "pro" | "team" | "enterprise";
                            /** @description API credits that are left. */
                            credits: number;
                            /** Format: date-time */
                            createdAt: string;
                        };
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
                     * @description An e-mail address; capitals and spaces around it do not count.
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
                        /** @description A login token, `at_` and 43 characters, shown this once. */
                        token: string;
                        /** Format: date-time */
                        expiresAt: string;
                        user: {
                            /** Format: uuid */
                            id: string;
                            email: string;
                            /** @description May be empty. */
                            name: string;
                            /** @enum {string} */
                            role: "user" | "admin";
                            /** @enum {string} */
                            plan: "free" | "pro" | "team" | "enterprise";
                            /** @description API credits that are left. */
                            credits: number;
                            /** Format: date-time */
                            createdAt: string;
                        };
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
                     * @description Ends every sign-in of the account.
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
                        /** @description Login tokens that have ended. */
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
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @description May be empty. */
                        name: string;
                        /** @enum {string} */
                        role: "user" | "admin";
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description API credits that are left. */
                        credits: number;
                        /** Format: date-time */
                        createdAt: string;
                    };
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
                        /** @constant */
                        deleted: true;
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
                     * @description An e-mail address; capitals and spaces around it do not count.
                     */
                    email?: string;
                    /** @description 8 to 256 characters of any kind. Common passwords, repetitions and sequences are refused. */
                    password?: string;
                    /** @description Needed for a change of e-mail address or password. */
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
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @description May be empty. */
                        name: string;
                        /** @enum {string} */
                        role: "user" | "admin";
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description API credits that are left. */
                        credits: number;
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
                        /** @description Whether it is the one that asks. */
                        current: boolean;
                        /** @description What the program said of itself at sign-in: its User-Agent, up to 200 characters. */
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
                        /** @description Sign-ins that have ended. */
                        signedOut: number;
                    };
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
                        /** @constant */
                        deleted: true;
                    };
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
                    }[];
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
                        /** @constant */
                        deleted: true;
                    };
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
                        /** @description The server's own model; null where it has none. */
                        platform: {
                            model: string;
                            /** @description Whether the plan includes it. */
                            allowed: boolean;
                        } | null;
                        /** @description Whether a model of your own can be saved on this server. */
                        savesKeys: boolean;
                        /** @description The saved model; null where nothing is saved. */
                        saved: {
                            baseUrl: string;
                            model: string;
                            /** @description Its first six and last four characters; of one with fewer than 20, none. */
                            apiKey: string;
                            /** Format: date-time */
                            updatedAt: string;
                        } | null;
                    };
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
                    "application/json": {
                        baseUrl: string;
                        model: string;
                        /** @description Its first six and last four characters; of one with fewer than 20, none. */
                        apiKey: string;
                        /** Format: date-time */
                        updatedAt: string;
                    };
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
                    /** @description A model there that takes images, as that server calls it. */
                    model: string;
                    /** @description Its API key. It is encrypted, and never shown again. Left out, the saved one stays, at its address only. */
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
                        baseUrl: string;
                        model: string;
                        /** @description Its first six and last four characters; of one with fewer than 20, none. */
                        apiKey: string;
                        /** Format: date-time */
                        updatedAt: string;
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
            /** @description ai_key_encryption_disabled, database_unavailable */
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
                        /** @constant */
                        deleted: true;
                    };
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
                    /** @description A model there that takes images, as that server calls it. */
                    model?: string;
                    /** @description Its API key; it is not kept. The saved one goes to the address that it was saved for only. */
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
                        /** @description As its server calls it. */
                        model: string;
                        /** @description Milliseconds to the answer. */
                        ms: number;
                        /** @description The model's words for the picture, a red square on white: one that sees says so. */
                        saw: string;
                        /** @description 0 where the server does not say. */
                        usage: {
                            inputTokens: number;
                            outputTokens: number;
                            totalTokens: number;
                        };
                    } | {
                        /** @constant */
                        ok: false;
                        /**
                         * @description As `kind` of `ai_provider_error`, and what has an error of its own there.
                         * @enum {string}
                         */
                        error: "auth" | "quota" | "model_not_found" | "no_vision" | "refused" | "bad_output" | "network" | "rate_limited" | "timeout";
                        /** @description For people. */
                        message: string;
                        /** @description Milliseconds to the failure. */
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
            /** @description ai_key_encryption_disabled, database_unavailable */
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
                        /** @description `whsec_` and the key in Base64, as libraries of Standard Webhooks take it. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description Until then the secret before this one signs beside it; absent when it no longer does.
                         */
                        previousExpiresAt?: string;
                    };
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
                        /** @description `whsec_` and the key in Base64, as libraries of Standard Webhooks take it. */
                        secret: string;
                        /**
                         * Format: date-time
                         * @description Until then the secret before this one signs beside it; absent when it no longer does.
                         */
                        previousExpiresAt?: string;
                    };
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
                        data: {
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
                            /** @description Oldest first; the latest 20. */
                            attempts: {
                                number: number;
                                /** Format: date-time */
                                at: string;
                                /** @description HTTP status of the answer; absent when there was none. */
                                status?: number;
                                /** @description Why it was no success, in words. */
                                error?: string;
                                /** @description Absent while the attempt is under way, or when the server ended during it. */
                                durationMs?: number;
                            }[];
                            /** Format: date-time */
                            nextAttemptAt?: string;
                            /** Format: date-time */
                            createdAt: string;
                            /**
                             * Format: date-time
                             * @description The first time that it was taken.
                             */
                            deliveredAt?: string;
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                    "application/json": {
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
                        /** @description Oldest first; the latest 20. */
                        attempts: {
                            number: number;
                            /** Format: date-time */
                            at: string;
                            /** @description HTTP status of the answer; absent when there was none. */
                            status?: number;
                            /** @description Why it was no success, in words. */
                            error?: string;
                            /** @description Absent while the attempt is under way, or when the server ended during it. */
                            durationMs?: number;
                        }[];
                        /** Format: date-time */
                        nextAttemptAt?: string;
                        /** Format: date-time */
                        createdAt: string;
                        /**
                         * Format: date-time
                         * @description The first time that it was taken.
                         */
                        deliveredAt?: string;
                    };
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
                        data: {
                            /** Format: uuid */
                            id: string;
                            email: string;
                            /** @description May be empty. */
                            name: string;
                            /** @enum {string} */
                            role: "user" | "admin";
                            /** @enum {string} */
                            plan: "free" | "pro" | "team" | "enterprise";
                            /** @description API credits that are left. */
                            credits: number;
                            /** Format: date-time */
                            createdAt: string;
                            disabled: boolean;
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                     * @description An e-mail address; capitals and spaces around it do not count.
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
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @description May be empty. */
                        name: string;
                        /** @enum {string} */
                        role: "user" | "admin";
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description API credits that are left. */
                        credits: number;
                        /** Format: date-time */
                        createdAt: string;
                        disabled: boolean;
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
            /** @description email_taken */
            409: {
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
                        /** @enum {string} */
                        role: "user" | "admin";
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description API credits that are left. */
                        credits: number;
                        /** Format: date-time */
                        createdAt: string;
                        disabled: boolean;
                        disabledAt: string | null;
                        /** @description Of the credits, held by calls whose answer is under way. */
                        reservedCredits: number;
                        /** @description Sign-ins that have not ended. */
                        sessions: number;
                        /** @description By a call, a sign-in or an API key, as far as is known; to the minute. */
                        lastActiveAt: string | null;
                        /** @description The UTC month. */
                        period: {
                            /** Format: date-time */
                            start: string;
                            /** Format: date-time */
                            end: string;
                        };
                        /** @description As in GET /api/v2/usage: the month of the plan, or the credits, or the calls for trying; null is unlimited. */
                        calls: {
                            /**
                             * @description What pays for a call.
                             * @enum {string}
                             */
                            by: "plan" | "credits" | "trial";
                            limit: number | null;
                            used: number;
                            remaining: number | null;
                        };
                        ai: {
                            /** @description Images of the UTC day for the server's own model, by AI_DAILY_LIMIT; null is unlimited. */
                            today: {
                                limit: number | null;
                                used: number;
                                remaining: number | null;
                                /** Format: date-time */
                                resetsAt: string;
                            };
                            /** @description All models of the month together; the cost in US dollars, where prices are set. */
                            month: {
                                images: number;
                                inputTokens: number;
                                outputTokens: number;
                                cost?: number;
                            };
                        };
                        /** @description Backgrounds removed in the UTC month, by BG_MONTHLY_LIMIT; null is unlimited. */
                        background: {
                            limit: number | null;
                            used: number;
                            remaining: number | null;
                            /** Format: date-time */
                            resetsAt: string;
                        };
                        batches: {
                            running: number;
                            imagesWaiting: number;
                        };
                        /** @description API keys that are not revoked, newest first. */
                        keys: {
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
                        }[];
                    };
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
                     * @description Counts from the next call on.
                     * @enum {string}
                     */
                    plan?: "free" | "pro" | "team" | "enterprise";
                    /** @enum {string} */
                    role?: "user" | "admin";
                    /** @description True ends all sessions and refuses all keys; false lets the keys in again. */
                    disabled?: boolean;
                    /** @description For one that was forgotten; it ends all sessions. */
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
                    "application/json": {
                        /** Format: uuid */
                        id: string;
                        email: string;
                        /** @description May be empty. */
                        name: string;
                        /** @enum {string} */
                        role: "user" | "admin";
                        /** @enum {string} */
                        plan: "free" | "pro" | "team" | "enterprise";
                        /** @description API credits that are left. */
                        credits: number;
                        /** Format: date-time */
                        createdAt: string;
                        disabled: boolean;
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
            /** @description last_administrator */
            409: {
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
                /** @description A key of your choice, new for each request: the same request under it gives the first answer again for 24 hours, so that you may safely try again. */
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
                    /** @description Why, for the audit log. */
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
                        /** @description Of the ledger's entry. */
                        id: number;
                        credits: number;
                        /** @description What the account has now. */
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
                            action: "first_administrator_made" | "signed_up" | "account_added" | "email_changed" | "password_changed" | "signed_out_everywhere" | "sign_in_ended" | "other_sign_ins_ended" | "account_deleted" | "api_key_made" | "api_key_revoked" | "plan_changed" | "role_changed" | "disabled_changed" | "password_set" | "credits_granted" | "webhook_secret_rotated" | "webhook_redelivered" | "ai_key_saved" | "ai_key_removed";
                            /** @description Who did it; null when nobody was signed in. */
                            actor: {
                                /** Format: uuid */
                                id: string;
                                email: string | null;
                            } | null;
                            /** @description Whom it concerns. */
                            account: {
                                /** Format: uuid */
                                id: string;
                                email: string | null;
                            };
                            /** @description What changed: from and to, or the credits and the note. */
                            details: {
                                [key: string]: unknown;
                            };
                            requestId: string | null;
                            address: string | null;
                        }[];
                        /** @description Send it as cursor for the next page; null when this was the last. */
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
                         * @description The worst of the concerns; a note is none.
                         * @enum {string}
                         */
                        state: "good" | "warning" | "failing";
                        /** @description What needs attention, the worst first. */
                        concerns: {
                            /** @enum {string} */
                            part: "server" | "servers" | "database" | "renderers" | "storage" | "batches" | "webhooks" | "ai" | "background" | "models" | "housekeeping" | "settings";
                            /** @enum {string} */
                            level: "failing" | "warning" | "note";
                            text: string;
                        }[];
                        /** Format: date-time */
                        at: string;
                        /** @description The process that answers. */
                        server: {
                            version: string;
                            node: string;
                            /** @enum {string} */
                            role: "all" | "api" | "worker";
                            host: string;
                            cores: number;
                            /** @description Under which other servers see this one. */
                            number: number;
                            /** @description Whether they do now. */
                            seen: boolean;
                            /** Format: date-time */
                            startedAt: string;
                            /** @description Of this process alone, without its renderers. */
                            memoryBytes: number;
                            /** @description Since the start, pages of the dashboard among them. */
                            answers: {
                                good: number;
                                /** @description 4xx */
                                refused: number;
                                /** @description 5xx */
                                failed: number;
                            };
                        };
                        /** @description Processes that work on this database, workers among them. */
                        servers: {
                            number: number;
                            isThis: boolean;
                            /** @description When it connected to the database; null where the database does not tell. */
                            since: string | null;
                            /** @description As the database sees it; null over a socket of the same machine. */
                            address: string | null;
                        }[];
                        database: {
                            /** @enum {string} */
                            kind: "embedded" | "external";
                            version: string;
                            /** @description What it takes on its disk. */
                            bytes: number;
                            /** @description Of one question that needs no work, with the wait for a connection. */
                            latencyMs: number;
                            /** @description Of this process. */
                            connections: {
                                open: number;
                                busy: number;
                                most: number;
                                /** @description Questions that wait for one. */
                                waiting: number;
                            };
                        };
                        renderers: {
                            /** @description Processes of sync and background; long may have one more, model has one. */
                            configured: number;
                            /** @description Whether images that somebody waits for can be worked on. */
                            ready: boolean;
                            /** @description Whether new ones are refused with server_busy. */
                            full: boolean;
                            /** @description What one may have at most. */
                            memoryLimitBytes: number;
                            /** @enum {string} */
                            heicWriter: "heif-enc" | "elheif" | "none";
                            lanes: {
                                /**
                                 * @description sync: short work that a caller waits for; long: long work that a caller waits for; background: batches and what is done behind all callers; model: those that run models.
                                 * @enum {string}
                                 */
                                name: "sync" | "long" | "background" | "model";
                                /** @description That can work; all but those of sync are started when there is work for them. */
                                processes: number;
                                busy: number;
                                /** @description Images that wait for one. */
                                waiting: number;
                                /** @description Beyond, new ones are refused; sync and long share these places. Null where there is no such limit. */
                                mostWaiting: number | null;
                                /** @description How long the image is at work that has been for longest. */
                                longestSeconds: number;
                                atWork: {
                                    operation: string;
                                    images: number;
                                }[];
                            }[];
                            /** @description Processes replaced since the start, by why. */
                            replaced: {
                                reason: string;
                                times: number;
                            }[];
                            /** @description What confines them. */
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
                             * @description silent: it has not answered within a second.
                             * @enum {string}
                             */
                            state: "works" | "fails" | "silent";
                            /** @description Of DATA_DIR; null where nothing is kept there. */
                            disk: {
                                bytes: number;
                                freeBytes: number;
                                /** @description What files leave free for the database: STORAGE_RESERVE_MB. */
                                reserveBytes: number;
                            } | null;
                        };
                        batches: {
                            /** @description Whether this process converts images of batches; others may. */
                            worksHere: boolean;
                            queued: number;
                            processing: number;
                            images: {
                                waiting: number;
                                atWork: number;
                            };
                            /** @description When the oldest that has not ended was made. */
                            oldestAt: string | null;
                            /** @description When an image of any of them was done, or one was made. */
                            progressAt: string | null;
                            /** @description Since then, by the clock of the database. */
                            stillSeconds: number;
                            /** @description That have ended, and whose results can still be had. */
                            kept: number;
                        };
                        webhooks: {
                            /** @description Deliveries that were not taken yet, those that are tried again among them. */
                            waiting: number;
                            /** @description Of them, those whose next attempt is due. */
                            due: number;
                            underWay: number;
                            oldestAt: string | null;
                            /** @description How long the next attempt of one has been due. */
                            lateSeconds: number;
                        };
                        ai: {
                            /** @description The server's own; null where none is set, and smart-crop and recommend do without. */
                            model: string | null;
                            /** @description Where it is asked, without path. */
                            server: string | null;
                            /** @description Whether accounts can save keys of their own: with DATABASE_URL, AI_KEY_ENCRYPTION_SECRET is set. */
                            savesKeys: boolean;
                            /** @description For their turn. */
                            waiting: {
                                /**
                                 * @description platform: the server's own model; byok: of callers.
                                 * @enum {string}
                                 */
                                provider: "platform" | "byok";
                                questions: number;
                            }[];
                            /** @description What came of questions since the start. */
                            outcomes: {
                                /**
                                 * @description platform: the server's own model; byok: of callers.
                                 * @enum {string}
                                 */
                                provider: "platform" | "byok";
                                outcome: string;
                                questions: number;
                            }[];
                        };
                        background: {
                            /** @description In the order in which they are asked. */
                            removers: {
                                /** @enum {string} */
                                name: "external" | "model" | "local";
                                /**
                                 * @description resting: it has failed, and is left alone for a while.
                                 * @enum {string}
                                 */
                                state: "ready" | "resting" | "loading" | "failed";
                                /** @description Of external: BG_PROVIDER. */
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
                        /** @description ONNX files of this machine: BG_MODEL_PATH and SR_MODEL_PATH. */
                        models: {
                            /** @enum {string} */
                            name: "background" | "superResolution";
                            /** @enum {string} */
                            state: "loading" | "ready" | "failed";
                            sha256: string;
                            preset?: string;
                            /** @description How many times as long it makes the sides of a picture. */
                            factor?: number;
                            why?: string;
                        }[];
                        /** @description Of this process, since the start. */
                        housekeeping: {
                            failedJobs: {
                                job: string;
                                times: number;
                            }[];
                            /** @description Accounts whose credits were not what their ledger says, at the last check. */
                            ledgerMismatches: number;
                            /** @description Calls that are charged, but missing in the lists. */
                            lostStatistics: number;
                        };
                        /** @description Those that are set. */
                        settings: {
                            name: string;
                            /** @description Null for a secret, and for what may hold one. */
                            value: string | null;
                            description: string;
                        }[];
                    };
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
                /** @description `v1,` and the HMAC-SHA256, in Base64, of id, timestamp and body with full stops between, under your webhook secret; while a secret is being replaced, two of them with a space between. */
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
                    /** @description What its status was at that moment. */
                    data: {
                        /** Format: uuid */
                        id: string;
                        /** @description What its owner calls it; absent where it was sent without a name. */
                        name?: string;
                        /**
                         * @description queued and processing are under way; completed and failed are its end.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "failed";
                        /** @enum {string} */
                        format: "webp" | "avif" | "jpeg" | "png";
                        quality: number;
                        /** @description Images; entries that are none do not count. done is succeeded and failed together. */
                        progress: {
                            total: number;
                            done: number;
                            succeeded: number;
                            failed: number;
                            percent: number;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        startedAt?: string;
                        /** Format: date-time */
                        finishedAt?: string;
                        /**
                         * Format: date-time
                         * @description Until when there is a result: 24 hours after finishedAt.
                         */
                        expiresAt?: string;
                        /** @description The path of the result, while there is one. */
                        resultUrl?: string;
                        /** @description Why it failed as a whole. */
                        error?: {
                            /** @description An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged. */
                            code: string;
                            message: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Taken. After any other status it is sent again, but for 410. */
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
                /** @description `v1,` and the HMAC-SHA256, in Base64, of id, timestamp and body with full stops between, under your webhook secret; while a secret is being replaced, two of them with a space between. */
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
                    /** @description What its status was at that moment. */
                    data: {
                        /** Format: uuid */
                        id: string;
                        /** @description What its owner calls it; absent where it was sent without a name. */
                        name?: string;
                        /**
                         * @description queued and processing are under way; completed and failed are its end.
                         * @enum {string}
                         */
                        status: "queued" | "processing" | "completed" | "failed";
                        /** @enum {string} */
                        format: "webp" | "avif" | "jpeg" | "png";
                        quality: number;
                        /** @description Images; entries that are none do not count. done is succeeded and failed together. */
                        progress: {
                            total: number;
                            done: number;
                            succeeded: number;
                            failed: number;
                            percent: number;
                        };
                        /** Format: date-time */
                        createdAt: string;
                        /** Format: date-time */
                        startedAt?: string;
                        /** Format: date-time */
                        finishedAt?: string;
                        /**
                         * Format: date-time
                         * @description Until when there is a result: 24 hours after finishedAt.
                         */
                        expiresAt?: string;
                        /** @description The path of the result, while there is one. */
                        resultUrl?: string;
                        /** @description Why it failed as a whole. */
                        error?: {
                            /** @description An identifier of the errors page, or stale: no progress for 30 minutes, and nothing was charged. */
                            code: string;
                            message: string;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description Taken. After any other status it is sent again, but for 410. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
