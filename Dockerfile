# Both tags move along with security fixes: build again to have them. The Node that runs Pixelmill is the one of
# package-lock.json; of the first image only npm is used, and nothing of it is kept.
FROM node:26-trixie-slim AS npm
WORKDIR /opt/pixelmill
COPY package.json package-lock.json .npmrc ./
COPY packages/kernels/package.json packages/kernels/
COPY packages/codecs/package.json packages/codecs/
COPY packages/vision/package.json packages/vision/
COPY packages/engine/package.json packages/engine/
COPY packages/cli/package.json packages/cli/
COPY apps/server/package.json apps/server/
COPY apps/dashboard/package.json apps/dashboard/
COPY clients/typescript/package.json clients/typescript/
COPY lab/package.json lab/
# npm runs them after each installation.
COPY scripts/prune-packages.mjs scripts/write-api-types.ts scripts/prepare-first-start.ts scripts/

# What runs: the server's packages, and of the optional folders those that EXTRAS names ("onnx", "otel" or both).
FROM npm AS packages
ARG EXTRAS=""
COPY onnx/package.json onnx/package-lock.json onnx/
COPY otel/package.json otel/package-lock.json otel/
RUN npm ci --omit=dev --workspace=pixelmill --workspace=pixelmill-server \
 && for folder in $EXTRAS; do npm ci --omit=dev --prefix "$folder" || exit 1; done

# The pages are built here, so that nothing has to be written or built at the start.
FROM npm AS pages
RUN npm ci
COPY . ./
RUN node apps/dashboard/build.ts \
 && rm -rf apps/dashboard/node_modules clients/typescript/node_modules \
 && chmod -R go+rX,go-w apps bin clients deploy docs examples packages

FROM debian:trixie-slim
# Node needs libatomic1; tini reaps what PostgreSQL and renderers leave to process 1. PACKAGES names more of Debian's: libheif-examples has heif-enc, libjxl-tools cjxl.
ARG PACKAGES=""
# hadolint ignore=DL3008,SC2086
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 mount tini util-linux $PACKAGES \
 && rm -rf /var/lib/apt/lists/* /var/log/apt /var/log/dpkg.log /var/log/alternatives.log /var/cache/ldconfig/aux-cache \
# PostgreSQL needs a user who has a name; the data folder is the only thing that is theirs.
 && groupadd --system --gid 10001 pixelmill \
 && useradd --system --uid 10001 --gid pixelmill --home-dir /data --no-create-home --shell /usr/sbin/nologin pixelmill \
 && install -d -o pixelmill -g pixelmill -m 0700 /data
WORKDIR /opt/pixelmill
COPY --from=packages /opt/pixelmill ./
COPY --from=pages /opt/pixelmill/LICENSE ./
COPY --from=pages /opt/pixelmill/apps ./apps
COPY --from=pages /opt/pixelmill/bin ./bin
COPY --from=pages /opt/pixelmill/clients ./clients
COPY --from=pages /opt/pixelmill/deploy ./deploy
COPY --from=pages /opt/pixelmill/docs ./docs
COPY --from=pages /opt/pixelmill/examples ./examples
COPY --from=pages /opt/pixelmill/packages ./packages

ENV PATH=/opt/pixelmill/node_modules/.bin:/usr/local/bin:/usr/bin:/bin \
    HOST=0.0.0.0 \
    PORT=3000 \
    DATA_DIR=/data
LABEL org.opencontainers.image.title="Pixelmill" \
      org.opencontainers.image.description="Self-hosted HTTP service that converts, compresses and edits images." \
      org.opencontainers.image.licenses="MIT"
USER 10001:10001
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 CMD ["node", "bin/pixelmill.mjs", "health"]
ENTRYPOINT ["tini", "--"]
# As "npm start" has it, without npm.
CMD ["node", "--initial-old-space-size=64", "--min-semi-space-size=16", "bin/pixelmill.mjs"]
