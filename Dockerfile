# Stayport as a container, for amd64 and arm64. No build step: TypeScript is run as it is, by the Node that the lockfile
# names. Both base images are pinned by digest; others are build arguments: any image with glibc does as BASE, any with
# npm as BUILD.
ARG BUILD=node:24-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d
ARG BASE=debian:bookworm-slim@sha256:96e378d7e6531ac9a15ad505478fcc2e69f371b10f5cdf87857c4b8188404716

FROM ${BUILD} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY mcp/package.json mcp/
COPY test/clients/package.json test/clients/
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf test \
  && mv node_modules/node-linux-*/bin/node /node && rm -rf node_modules/node-linux-* node_modules/.bin/node

FROM ${BASE}
WORKDIR /app
COPY --from=packages /app /app
COPY --from=packages /node /usr/local/bin/node
COPY bin bin
COPY src src
COPY sdk sdk
COPY mcp mcp
COPY sample sample
COPY openapi.json openapi-extras.json ./
COPY ops/container.env /etc/stayport.env
RUN mkdir -p /data/images && chown -R 1000:1000 /data
USER 1000:1000
# The database, the saved catalogue and the pictures: all that has to be kept.
VOLUME /data
# The C library's pools, one for each thread, would keep some 100 MiB more: docs/operating.md, 'Sizing'.
ENV NODE_ENV=production \
    STAYPORT_ENV_FILE=/etc/stayport.env \
    MALLOC_ARENA_MAX=2
EXPOSE 8080 8081 8443
HEALTHCHECK --interval=10s --timeout=5s --start-period=120s \
  CMD ["node", "-e", "import('/app/src/app/settings/settings.ts').then(({ loadSettings }) => fetch(`http://127.0.0.1:${loadSettings().settings.operatorPort}/readyz`)).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "bin/stayport", "serve"]
