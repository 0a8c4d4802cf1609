# The controller. Build it from the package that `npm run make` or the registry gives:
#   npm run make && docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/cdk8s-aso-controller:1.2.3 --push .
# docs/operator.md says how it is installed. The arguments are for mirrors, and for digests; both images have amd64 and arm64.

ARG BUILD_IMAGE=node:24-slim
ARG RUN_IMAGE=gcr.io/distroless/nodejs24-debian12:nonroot

# Runs on the machine that builds, without an emulator: what it packs is JavaScript, the same for each platform. Builders without BuildKit
# do not say what they are.
FROM --platform=${BUILDPLATFORM:-linux/amd64} ${BUILD_IMAGE} AS package
WORKDIR /package
COPY package.json LICENSE THIRD-PARTY-LICENSES.txt ./
COPY catalog/ catalog/
# With lib/controller/sbom.cdx.json, which names the libraries inside the bundle: scanners of images find it.
COPY lib/controller/ lib/controller/
# The page of --ui.
COPY lib/page/ lib/page/
# A wrong bundle fails the build, not the cluster.
RUN node lib/controller/main.js --version

FROM ${RUN_IMAGE}
WORKDIR /app
COPY --from=package --chown=0:0 /package/ ./
# Two arenas of the allocator are enough for threads that rarely allocate, and keep the process small.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
# Numbers, so that the kubelet can tell that it is not root.
USER 65532:65532
# 8081 health, 8443 metrics, 9443 webhooks
EXPOSE 8081 8443 9443
# No HEALTHCHECK: Kubernetes has its probes.
ENTRYPOINT ["/nodejs/bin/node", "/app/lib/controller/main.js"]
