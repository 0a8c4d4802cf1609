# The controller, and with --target composer the composer. Build them from the package that `npm run make` or the registry gives:
#   npm run make && docker buildx build --platform linux/amd64,linux/arm64 -t registry.example.com/cdk8s-aso-controller:1.2.3 --push .
# docs/operator.md and docs/composer.md say how they are installed. The arguments are for mirrors, and for digests; all images have amd64 and
# arm64.

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
COPY lib/programs/ lib/programs/
# The page of --ui.
COPY lib/page/ lib/page/
# Without what only other programs use. A wrong bundle fails the build, not the cluster.
RUN cd lib/programs && ls *.js | grep -vxF -f ../controller/chunks.txt | xargs rm
RUN node lib/controller/main.js --version

# The composer loads a definition's bundle, which uses this package as a library, with cdk8s and constructs.
FROM --platform=${BUILDPLATFORM:-linux/amd64} ${BUILD_IMAGE} AS composer-package
WORKDIR /package
COPY package.json package-lock.json LICENSE THIRD-PARTY-LICENSES.txt ./
# The versions that the tests ran with. What they need is inside of them: other packages that they name are not for run time.
RUN node -p "['cdk8s', 'cdk8s-plus-27', 'constructs'].map((name) => name + '@' + require('./package-lock.json').packages['node_modules/' + name].version).join(' ')" > versions \
  && mkdir node_modules && npm install --prefix /libraries --ignore-scripts --no-audit --no-fund --no-package-lock $(cat versions) \
  && mv /libraries/node_modules/cdk8s /libraries/node_modules/cdk8s-plus-27 /libraries/node_modules/constructs node_modules/ \
  && rm versions package-lock.json
COPY catalog/ catalog/
COPY lib/ lib/
RUN rm -rf lib/cli lib/controller lib/page lib/sandbox && find . -name '*.d.ts' -delete \
  && cd lib/programs && ls *.js | grep -vxF -f ../composer/chunks.txt | xargs rm
RUN node lib/composer/main.js --version && node -e "require('cdk8s-aso'); require('cdk8s-aso/operator'); require('cdk8s-aso/platform')"

FROM ${RUN_IMAGE} AS composer
WORKDIR /app
COPY --from=composer-package --chown=0:0 /package/ ./
ENV NODE_ENV=production MALLOC_ARENA_MAX=2
USER 65532:65532
# 8080 metrics, 8081 health
EXPOSE 8080 8081
ENTRYPOINT ["/nodejs/bin/node", "/app/lib/composer/main.js"]

FROM ${RUN_IMAGE} AS controller
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
