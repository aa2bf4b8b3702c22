# One image that is the operator, the command line and the fake server: docs/image.md says how to build and to check it.
# tools/image.ts has the same list of files, for tests without a container engine; one of them compares both.

# Builds on the builder's own platform, as the bundles are the same everywhere.
FROM --platform=$BUILDPLATFORM docker.io/library/node:24.21.0-trixie-slim AS build
# The packages that are bundled can be seen only here: a bill of materials, where one is asked for, has them from here.
ARG BUILDKIT_SBOM_SCAN_STAGE=true
WORKDIR /src
COPY package.json package-lock.json ./
RUN npm ci --no-audit --no-fund
COPY . .
# Git keeps no read bits for others: a clone made with a strict umask would be unreadable to the user of the image.
RUN npm run build && chmod 0644 LICENSE build/bin/*

# Node for the platform of the image; nothing runs in this stage, so other platforms need no emulation.
FROM docker.io/library/node:24.21.0-trixie-slim AS node

# The C and C++ libraries, CA certificates and time zones; no shell, no package manager.
FROM gcr.io/distroless/cc-debian13:nonroot
LABEL org.opencontainers.image.title="inferno" \
      org.opencontainers.image.description="Operator, command line and fake server for InferenceServices" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.base.name="gcr.io/distroless/cc-debian13:nonroot"
# A process that runs for weeks gains nothing from a compile cache, and the root is read-only.
ENV NODE_ENV=production \
    NODE_DISABLE_COMPILE_CACHE=1
COPY --from=node /usr/local/bin/node /nodejs/bin/node
COPY --from=node /usr/local/LICENSE /nodejs/LICENSE
COPY --from=build /src/LICENSE /src/build/bin/NOTICES.txt /src/build/bin/inferno.cjs /src/build/bin/cli.cjs /src/build/bin/operator.cjs /src/build/bin/cel.cjs /src/build/bin/re2.cjs /app/
USER 65532:65532
# After the COPY: a folder that WORKDIR makes would belong to the user and be writable.
WORKDIR /app
# The fake server; the operator's metrics and probes.
EXPOSE 8000 8080 8081
ENTRYPOINT ["/nodejs/bin/node", "/app/inferno.cjs"]
