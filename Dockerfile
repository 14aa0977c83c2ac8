# The command `k8s-versioned` in an image that has nothing else but the C library. Both images are of one Debian.
#
#     docker build --tag k8s-versioned .
#     docker run --rm --volume "$PWD:/work:ro" k8s-versioned validate --crds crds charts
FROM docker.io/library/rust:1-slim-bookworm AS build
ARG FEATURES=""
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/target \
    cargo build --locked --release --target-dir /target --package k8s-versioned-cli --features "${FEATURES}" && \
    cp /target/release/k8s-versioned /k8s-versioned

FROM gcr.io/distroless/cc-debian12:nonroot
COPY --from=build /k8s-versioned /usr/local/bin/k8s-versioned
WORKDIR /work
USER 65532:65532
ENTRYPOINT ["/usr/local/bin/k8s-versioned"]
