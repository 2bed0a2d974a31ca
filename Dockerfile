# syntax=docker/dockerfile:1
# The image of the service, of its worker and of its commands (docs/deploy.md). A test runs these stages
# without an engine and starts the result (test/kit/image.ts).

# A release replaces each version by its digest: `docker buildx imagetools inspect node:24.21.0-bookworm-slim`.
FROM node:24.21.0-bookworm-slim AS node

# The files that name the packages. The layers of packages change only with them.
FROM node AS named
WORKDIR /app
ENV npm_config_cache=/var/cache/npm
COPY package.json package-lock.json .npmrc ./
COPY examples/dashboard/package.json examples/dashboard/
COPY test/clients/package.json test/clients/

# The packages that production runs, and the list of them.
FROM named AS packages
RUN --mount=type=cache,target=/var/cache/npm \
  npm ci --omit=dev --omit=optional --ignore-scripts --no-audit
# npm lists a package as it is installed: without the packages for development it calls the installation broken.
RUN npm pkg delete devDependencies workspaces \
  && rm -r node_modules/quittance-* examples test \
  && npm sbom --sbom-format=cyclonedx > sbom.cdx.json
# Node runs no TypeScript below node_modules, and nothing reads the maps. Of the engines of Prisma, each as a script of
# several megabytes, the client loads one.
RUN find node_modules -type f \( -name '*.ts' -o -name '*.mts' -o -name '*.cts' -o -name '*.map' \) -delete \
  && find node_modules/@prisma/client/runtime -name 'query_compiler_*' ! -name '*fast_bg.postgresql*' -delete

# Prisma's client, the routes of REST, and the pages are generated.
FROM named AS build
RUN --mount=type=cache,target=/var/cache/npm \
  npm ci --ignore-scripts --no-audit
COPY . .
RUN node codegen.ts --install

FROM debian:bookworm-slim AS runtime
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Quittance" \
  org.opencontainers.image.description="Records on-chain payments, writes ISO 20022-style messages, seals and anchors them" \
  org.opencontainers.image.licenses="MIT" \
  org.opencontainers.image.version="0.1.0" \
  org.opencontainers.image.revision="$REVISION"
WORKDIR /app
# Node alone: npm and the headers of its image are as large as all packages together.
COPY --from=node /usr/local/bin/node /usr/local/bin/
COPY --from=packages /app/node_modules node_modules
COPY --from=packages /app/sbom.cdx.json ./
COPY package.json LICENSE ./
COPY bin bin
COPY contracts contracts
COPY prisma prisma
COPY --from=build /app/rest rest
COPY --from=build /app/src src
# A user without a name has no home, and a package of the worker asks for one.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 PROBE_HOST=0.0.0.0 PROBE_PORT=9464 HOME=/tmp
EXPOSE 8000 9464
# Nothing below / is written, so that the root file system can be read-only, and no user needs a name.
USER 10001:10001
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "bin/health.js"]
ENTRYPOINT ["node", "/app/bin/quittance.js"]
CMD ["start"]
