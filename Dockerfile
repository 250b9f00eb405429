# Stayport as a container. No build step: TypeScript is run as it is.
FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
COPY sdk/package.json sdk/
COPY mcp/package.json mcp/
COPY test/clients/package.json test/clients/
# This image brings Node; the copy that the project carries is not needed.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund && npm cache clean --force
COPY bin bin
COPY src src
COPY sdk sdk
COPY mcp mcp
COPY sample sample
COPY openapi.json ./
# For SQLite; with PostgreSQL nothing is written here.
RUN mkdir data && chown node data
USER node
# The C library's pools, one for each thread, would keep some 100 MiB more: docs/operating.md, 'Sizing'.
ENV MALLOC_ARENA_MAX=2
EXPOSE 8080 8081
CMD ["node", "bin/stayport", "serve"]
